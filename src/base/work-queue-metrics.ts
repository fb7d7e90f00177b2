import type { Metrics } from './metrics.js'

/** The metrics of a work queue, under upstream's names. */
export interface WorkQueueMetrics {
  depth(keys: number): void
  added(): void
  retried(): void
  /** Milliseconds from adding to handing out. */
  waited(milliseconds: number): void
  /** Milliseconds from handing out to `done`. */
  worked(milliseconds: number): void
}

/** Seconds: from ten nanoseconds to a thousand seconds, as upstream. */
const buckets = Array.from({ length: 12 }, (_, power) => 10 ** (power - 8))

export function workQueueMetrics(metrics: Metrics, name: string): WorkQueueMetrics {
  const labels = ['name'] as const
  const counter = (metric: string, help: string) => metrics.counter({ name: metric, help, labels }).labels(name)
  const histogram = (metric: string, help: string) =>
    metrics.histogram({ name: metric, help, labels, buckets }).labels(name)
  const depth = metrics.gauge({ name: 'workqueue_depth', help: 'Keys that wait to be worked on.', labels }).labels(name)
  const adds = counter('workqueue_adds_total', 'Keys added, those left out that were waiting already.')
  const retries = counter('workqueue_retries_total', 'Keys added with a delay.')
  const waits = histogram('workqueue_queue_duration_seconds', 'How long keys wait before they are worked on.')
  const works = histogram('workqueue_work_duration_seconds', 'How long the work on a key takes.')
  return {
    depth: (keys) => depth.set(keys),
    added: () => adds.inc(),
    retried: () => retries.inc(),
    waited: (milliseconds) => waits.observe(milliseconds / 1000),
    worked: (milliseconds) => works.observe(milliseconds / 1000),
  }
}
