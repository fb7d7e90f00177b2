import type { Metrics } from '../base/metrics.js'
import type { SchedulingQueueSizes } from './queue/scheduling-queue.js'

/** The metrics of the scheduler, under upstream's names. */
export interface SchedulerMetrics {
  attempted(profile: string, result: 'scheduled' | 'unschedulable' | 'error', milliseconds: number): void
  scheduled(attempts: number): void
}

const durationBuckets = [0.0001, 0.001, 0.01, 0.1, 1]
const attemptBuckets = [1, 2, 4, 8, 16]

export function schedulerMetrics(metrics: Metrics, sizes: () => SchedulingQueueSizes): SchedulerMetrics {
  const labels = ['result', 'profile'] as const
  const attempts = metrics.counter({
    name: 'scheduler_schedule_attempts_total',
    help: 'Scheduling attempts, by result.',
    labels,
  })
  const durations = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'Duration of a scheduling attempt without binding.',
    labels,
    buckets: durationBuckets,
  })
  const attemptCounts = metrics.histogram({
    name: 'scheduler_pod_scheduling_attempts',
    help: 'Attempts until a pod was scheduled.',
    buckets: attemptBuckets,
  })
  const pending = { name: 'scheduler_pending_pods', help: 'Pods without a node, by queue.', type: 'gauge' } as const
  metrics.collected(pending, () => Object.entries(sizes()).map(([queue, value]) => ({ labels: { queue }, value })))
  return {
    attempted(profile, result, milliseconds) {
      attempts.inc({ result, profile })
      durations.observe({ result, profile }, milliseconds / 1000)
    },
    scheduled: (count) => attemptCounts.observe(count),
  }
}
