import type { Node } from '../../api/core/v1/node.js'
import type { Timer } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { Informer } from '../../client/informers/informer.js'
import type { PodNetwork } from '../../cni/pod-network.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'

export interface PodNetworkDependencies {
  readonly environment: Environment
  readonly runtime: Pick<ContainerRuntime, 'listPodSandbox'>
  readonly network: PodNetwork
}

/** Milliseconds between two searches for leaked addresses, and the minimum age of a leaked address. */
const period = 300_000
const youth = 60_000
const retry = 1_000

/** Configures the pod network with the Node's pod CIDRs, and releases addresses of sandboxes that no longer exist. */
export class PodNetworkReconciler {
  readonly #dependencies: PodNetworkDependencies
  #stopListening: (() => void) | undefined
  #timer: Timer | undefined
  #ranges: readonly string[] = []
  #isClosed = false

  constructor(dependencies: PodNetworkDependencies) {
    this.#dependencies = dependencies
  }

  follow(nodes: Informer<Node>): void {
    this.#stopListening = nodes.onChange(({ type, object }) => {
      const { podCIDRs = [], podCIDR } = object.spec ?? {}
      const ranges = podCIDRs.length > 0 || podCIDR === undefined ? podCIDRs : [podCIDR]
      if (type === 'deleted' || ranges.length === 0 || ranges.join() === this.#ranges.join()) return
      this.#ranges = ranges
      void this.#configure(ranges)
    })
    void this.#releaseDead()
  }

  close(): void {
    this.#isClosed = true
    this.#stopListening?.()
    this.#timer?.cancel()
  }

  async #configure(ranges: readonly string[]): Promise<void> {
    const { environment, network } = this.#dependencies
    if (this.#isClosed || ranges !== this.#ranges) return
    try {
      await network.configure(ranges)
    } catch (error) {
      environment.log.error('pod network configuration failed', { error, ranges })
      environment.clock.timer(retry, () => void this.#configure(ranges))
    }
  }

  async #releaseDead(): Promise<void> {
    const { environment, runtime, network } = this.#dependencies
    const { clock, log } = environment
    try {
      const before = clock.now() - youth
      const { items } = await runtime.listPodSandbox({})
      await network.releaseUnused(new Set(items.map(({ id }) => id)), before)
    } catch (error) {
      log.warn('address release failed', { error })
    }
    if (!this.#isClosed) this.#timer = clock.timer(period, () => void this.#releaseDead())
  }
}
