import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { runFiltersWithNominatedPods } from '../../cycle/filtering.js'
import type { NominatedPods } from '../../framework/nominated-pods.js'
import type { AdjustableFilter, PodFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'

export interface DryRunContext {
  readonly pod: PodInfo
  /** Those that the pod was tried with. They are asked, and not changed. */
  readonly filters: readonly PodFilter[]
  readonly nominated: NominatedPods
}

/** One node as it would be if pods came and went, and whether a pod could then be on it. */
export class NodeDryRun {
  readonly #parts: DryRunContext
  readonly #filters: readonly PodFilter[]
  readonly #adjusted: readonly AdjustableFilter[]
  #node: NodeInfo

  constructor(parts: DryRunContext, node: NodeInfo) {
    this.#parts = parts
    this.#node = node
    const adjusted: AdjustableFilter[] = []
    this.#filters = parts.filters.map((filter) => {
      const own = filter.adjustable?.()
      if (own) adjusted.push(own)
      return own ?? filter
    })
    this.#adjusted = adjusted
  }

  add(pod: PodInfo): void {
    this.#node = this.#node.withPod(pod)
    for (const filter of this.#adjusted) filter.addPod(pod, this.#node)
  }

  remove(pod: PodInfo): void {
    this.#node = this.#node.withoutPod(pod)
    for (const filter of this.#adjusted) filter.removePod(pod, this.#node)
  }

  /** Those of the node. */
  removeAll(pods: readonly PodInfo[]): void {
    this.#node = this.#node.withoutPods(new Set(pods))
    for (const filter of this.#adjusted) for (const pod of pods) filter.removePod(pod, this.#node)
  }

  rejection(): PluginRejection | undefined {
    return runFiltersWithNominatedPods(this.#filters, this.#parts.pod, this.#node, this.#parts.nominated)
  }
}
