import type { Metrics } from '../../base/metrics.js'
import type { Reason } from './plan.js'

/** What the pod collector counts, under upstream's names. */
export interface PodCollectorMetrics {
  collected(namespace: string, reason: Reason): void
  failed(namespace: string, reason: Reason): void
}

export function podCollectorMetrics(metrics: Metrics): PodCollectorMetrics {
  const labels = ['namespace', 'reason'] as const
  const collected = metrics.counter({
    name: 'pod_gc_collector_force_delete_pods_total',
    help: 'Pods that were deleted by force.',
    labels,
  })
  const failed = metrics.counter({
    name: 'pod_gc_collector_force_delete_pod_errors_total',
    help: 'Pods that could not be deleted by force.',
    labels,
  })
  return {
    collected: (namespace, reason) => collected.labels(namespace, reason).inc(),
    failed: (namespace, reason) => failed.labels(namespace, reason).inc(),
  }
}
