import type { Metrics } from '../../base/metrics.js'

/** From a millisecond, each twice as long as the one before: upstream's. */
const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240]

/** Counts a pod that was evicted so many milliseconds after its time, under upstream's names. */
export function countEviction(metrics: Metrics, late: number): void {
  const prefix = 'taint_eviction_controller'
  metrics.counter({ name: `${prefix}_pod_deletions_total`, help: 'Pods that were evicted because of taints.' }).inc()
  const name = `${prefix}_pod_deletion_duration_seconds`
  const help = 'Time between when a pod was to be evicted and when it was.'
  metrics.histogram({ name, help, buckets }).observe(late / 1000)
}
