import type { Node } from '../../api/core/v1/node.js'
import type { Logger } from '../../base/logging.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

/** Tells the runtime from which ranges the node's pods have their addresses, whenever that changes. */
export class PodRanges {
  readonly #runtime: Pick<ContainerRuntime, 'updateRuntimeConfig'>
  readonly #log: Logger
  #told = ''

  constructor(runtime: Pick<ContainerRuntime, 'updateRuntimeConfig'>, log: Logger) {
    this.#runtime = runtime
    this.#log = log
  }

  async tell({ spec }: Node, signal: AbortSignal): Promise<void> {
    const podCidr = (spec.podCIDRs ?? []).join(',')
    if (podCidr === '' || podCidr === this.#told) return
    try {
      await this.#runtime.updateRuntimeConfig({ runtimeConfig: { networkConfig: { podCidr } } }, { signal })
      this.#told = podCidr
    } catch (error) {
      if (!signal.aborted) this.#log.warn('the runtime does not take the range of pod addresses', { podCidr, error })
    }
  }
}
