import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { type AdjustableFilter, isRejection, type PodFilter, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'AllPredicates'

/** Several rules as one that tells everything that is wrong with a node, where usually the first thing is enough. */
export function allFilters(plugins: readonly SchedulerPlugin[]): SchedulerPlugin {
  return {
    name,
    preFilter(pod, snapshot) {
      const made = plugins.flatMap((plugin) => plugin.preFilter?.(pod, snapshot) ?? [])
      const rejections = made.filter(isRejection)
      if (rejections.length > 0) return together(rejections)
      return new AllFilter(made as readonly PodFilter[])
    },
    queueingHints: plugins.flatMap(({ queueingHints = [] }) => queueingHints),
  }
}

/** Removing pods helps only if it helps against everything. */
function together(rejections: readonly PluginRejection[]): PluginRejection {
  return {
    plugin: name,
    reasons: [...new Set(rejections.flatMap(({ reasons }) => reasons))],
    isResolvable: rejections.every(({ isResolvable }) => isResolvable),
  }
}

class AllFilter implements AdjustableFilter {
  readonly #filters: readonly PodFilter[]

  constructor(filters: readonly PodFilter[]) {
    this.#filters = filters
  }

  filter(node: NodeInfo): PluginRejection | undefined {
    const rejections = this.#filters.flatMap((filter) => filter.filter(node) ?? [])
    return rejections.length === 0 ? undefined : together(rejections)
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
