import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { type AdjustableFilter, isRefusal, type Plugin, type PodFilter } from '../framework/plugin.js'
import type { Refusal } from '../framework/rejection.js'

const name = 'AllPredicates'

/** Several rules as one that tells everything that is wrong with a node, where usually the first thing is enough. */
export function allFilters(plugins: readonly Plugin[]): Plugin {
  return {
    name,
    filterFor(pod, snapshot) {
      const made = plugins.flatMap((plugin) => plugin.filterFor?.(pod, snapshot) ?? [])
      const refusals = made.filter(isRefusal)
      if (refusals.length > 0) return together(refusals)
      return new AllFilter(made as readonly PodFilter[])
    },
    interests: plugins.flatMap(({ interests = [] }) => interests),
  }
}

/** Removing pods helps only if it helps against everything. */
function together(refusals: readonly Refusal[]): Refusal {
  return {
    plugin: name,
    reasons: [...new Set(refusals.flatMap(({ reasons }) => reasons))],
    isResolvable: refusals.every(({ isResolvable }) => isResolvable),
  }
}

class AllFilter implements AdjustableFilter {
  readonly #filters: readonly PodFilter[]

  constructor(filters: readonly PodFilter[]) {
    this.#filters = filters
  }

  refuse(node: NodeInfo): Refusal | undefined {
    const refusals = this.#filters.flatMap((filter) => filter.refuse(node) ?? [])
    return refusals.length === 0 ? undefined : together(refusals)
  }

  adjustable(): AllFilter {
    return new AllFilter(this.#filters.map((filter) => filter.adjustable?.() ?? filter))
  }

  addPod(pod: PodInfo, node: NodeInfo): void {
    for (const filter of this.#filters) if (isAdjustable(filter)) filter.addPod(pod, node)
  }

  removePod(pod: PodInfo, node: NodeInfo): void {
    for (const filter of this.#filters) if (isAdjustable(filter)) filter.removePod(pod, node)
  }
}

function isAdjustable(filter: PodFilter): filter is AdjustableFilter {
  return 'addPod' in filter
}
