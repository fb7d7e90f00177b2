import type { Metrics } from '../../base/metrics.js'

/** The metrics of a reflector, with upstream's names if it has them. */
export interface ReflectorMetrics {
  listed(objects: number, milliseconds: number): void
  watching(): void
  watched(events: number, milliseconds: number): void
  shortWatch(): void
  stalled(): void
  revision(revision: number): void
  handlerFailed(): void
}

const items = [1, 10, 100, 1000, 10_000, 100_000]
const listSeconds = [0.001, 0.01, 0.1, 1, 10, 60]
const watchSeconds = [1, 10, 60, 300, 600]

export function reflectorMetrics(metrics: Metrics, name: string): ReflectorMetrics {
  const labels = ['name'] as const
  const counter = (metric: string, help: string) => metrics.counter({ name: metric, help, labels }).labels(name)
  const histogram = (metric: string, help: string, buckets: readonly number[]) =>
    metrics.histogram({ name: metric, help, labels, buckets }).labels(name)
  const lists = counter('reflector_lists_total', 'Lists of all objects.')
  const listTimes = histogram('reflector_list_duration_seconds', 'Duration of a list.', listSeconds)
  const listItems = histogram('reflector_items_per_list', 'Objects of a list.', items)
  const watches = counter('reflector_watches_total', 'Watches that were started.')
  const shortWatches = counter('reflector_short_watches_total', 'Watches that ended at once without an event.')
  const watchTimes = histogram('reflector_watch_duration_seconds', 'Duration of a watch.', watchSeconds)
  const watchItems = histogram('reflector_items_per_watch', 'Events of a watch.', items)
  const stalls = counter('reflector_stalled_requests_total', 'Requests that stalled.')
  const failures = counter('informer_handler_failures_total', 'Changes for which a handler failed.')
  const last = { name: 'reflector_last_resource_version', help: 'Revision of the local copy.', labels }
  const revisions = metrics.gauge(last).labels(name)
  return {
    listed(objects, milliseconds) {
      lists.inc()
      listItems.observe(objects)
      listTimes.observe(milliseconds / 1000)
    },
    watching: () => watches.inc(),
    watched(events, milliseconds) {
      watchItems.observe(events)
      watchTimes.observe(milliseconds / 1000)
    },
    shortWatch: () => shortWatches.inc(),
    stalled: () => stalls.inc(),
    revision: (revision) => revisions.set(revision),
    handlerFailed: () => failures.inc(),
  }
}
