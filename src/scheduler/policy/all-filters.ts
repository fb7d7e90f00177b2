import type { NodeInfo } from '../cache/node-info.js'
import type { PodInfo } from '../cache/pod-info.js'
import { isAdjustable } from '../cycle/filtering.js'
import { type AdjustableFilter, isRejection, type PodFilter, type SchedulerPlugin } from '../framework/plugin.js'
import type { PluginRejection } from '../framework/rejection.js'

const name = 'AllPredicates'

/** Combines plugins into one that gives all reasons against a node, where a cycle stops at the first. For `alwaysCheckAllPredicates`. */
export function allFilters(plugins: readonly SchedulerPlugin[]): SchedulerPlugin {
  return {
    name,
    preFilter(pod, snapshot) {
      const results = plugins.flatMap((plugin) => plugin.preFilter?.(pod, snapshot) ?? [])
      const rejections = results.filter(isRejection)
      if (rejections.length > 0) return combined(rejections)
      return new AllFilter(results as readonly PodFilter[])
    },
    queueingHints: plugins.flatMap(({ queueingHints = [] }) => queueingHints),
  }
}

/** Deleting pods helps only if it resolves all rejections. */
function combined(rejections: readonly PluginRejection[]): PluginRejection {
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
    return rejections.length === 0 ? undefined : combined(rejections)
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
