import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { runFiltersWithNominatedPods } from '../../cycle/filtering.js'
import type { AdjustableFilter, NominatedPods, PodFilter } from '../../framework/plugin.js'
import type { PluginRejection } from '../../framework/rejection.js'

export interface DryRunContext {
  readonly pod: PodInfo
  /** The filters of the failed cycle. They are not changed. */
  readonly filters: readonly PodFilter[]
  readonly nominated: NominatedPods
}

/** One node with pods added and removed, and whether the incoming pod would fit on it. */
export class NodeDryRun {
  readonly #context: DryRunContext
  readonly #filters: readonly PodFilter[]
  readonly #adjusted: readonly AdjustableFilter[]
  #node: NodeInfo

  constructor(context: DryRunContext, node: NodeInfo) {
    this.#context = context
    this.#node = node
    const adjusted: AdjustableFilter[] = []
    this.#filters = context.filters.map((filter) => {
      const copy = filter.adjustable?.()
      if (copy) adjusted.push(copy)
      return copy ?? filter
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

  removeAll(pods: readonly PodInfo[]): void {
    this.#node = this.#node.withoutPods(new Set(pods))
    for (const filter of this.#adjusted) for (const pod of pods) filter.removePod(pod, this.#node)
  }

  rejection(): PluginRejection | undefined {
    return runFiltersWithNominatedPods(this.#filters, this.#context.pod, this.#node, this.#context.nominated)
  }
}
