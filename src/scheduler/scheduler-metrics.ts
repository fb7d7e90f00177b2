import type { Metrics } from '../base/metrics.js'
import type { SchedulingQueueSizes } from './queue/scheduling-queue.js'

/** What the scheduler reports of itself, under upstream's names. */
export interface SchedulerMetrics {
  attempted(profile: string, result: 'scheduled' | 'unschedulable' | 'error', milliseconds: number): void
  placed(attempts: number): void
}

const seconds = [0.0001, 0.001, 0.01, 0.1, 1]
const attemptCounts = [1, 2, 4, 8, 16]

export function schedulerMetrics(metrics: Metrics, sizes: () => SchedulingQueueSizes): SchedulerMetrics {
  const labels = ['result', 'profile'] as const
  const attempts = metrics.counter({
    name: 'scheduler_schedule_attempts_total',
    help: 'Attempts to place a pod.',
    labels,
  })
  const durations = metrics.histogram({
    name: 'scheduler_scheduling_attempt_duration_seconds',
    help: 'How long an attempt took, binding left out.',
    labels,
    buckets: seconds,
  })
  const needed = metrics.histogram({
    name: 'scheduler_pod_scheduling_attempts',
    help: 'How many attempts a pod needed.',
    buckets: attemptCounts,
  })
  const pending = { name: 'scheduler_pending_pods', help: 'Pods that wait, by where they do.', type: 'gauge' } as const
  metrics.collected(pending, () => Object.entries(sizes()).map(([queue, value]) => ({ labels: { queue }, value })))
  return {
    attempted(profile, result, milliseconds) {
      attempts.inc({ result, profile })
      durations.observe({ result, profile }, milliseconds / 1000)
    },
    placed: (count) => needed.observe(count),
  }
}
