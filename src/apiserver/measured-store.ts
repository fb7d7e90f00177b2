import { DurationHistogram } from '../base/duration-histogram.js'
import type { Environment } from '../base/environment.js'
import type { Store } from '../storage/store.js'
import type { ResourceMap } from './registry/resource-map.js'

const durations = 'etcd_request_duration_seconds'

/** Wraps a store and measures its requests, under upstream's names of the metrics of etcd. */
export function measuredStore(store: Store, { clock, metrics }: Pick<Environment, 'clock' | 'metrics'>): Store {
  const tallies = { get: new DurationHistogram(), list: new DurationHistogram(), txn: new DurationHistogram() }
  metrics.collected(
    { name: durations, help: 'Duration of requests to the store, by operation', type: 'histogram' },
    () => Object.entries(tallies).flatMap(([operation, tally]) => [...tally.samples(durations, { operation })]),
  )
  const timed = async <T>(tally: DurationHistogram, response: Promise<T>): Promise<T> => {
    const began = clock.monotonic()
    try {
      return await response
    } finally {
      tally.observe((clock.monotonic() - began) / 1000)
    }
  }
  return {
    get: (key, options) => timed(tallies.get, store.get(key, options)),
    range: (query) => timed(tallies.list, store.range(query)),
    transact: (transaction) => timed(tallies.txn, store.transact(transaction)),
    watch: (query) => store.watch(query),
    compact: (revision) => store.compact(revision),
    grantLease: (seconds) => store.grantLease(seconds),
    keepLeaseAlive: (id) => store.keepLeaseAlive(id),
    revokeLease: (id) => store.revokeLease(id),
    close: () => store.close(),
  }
}

/** Registers the metric of stored objects by resource. */
export function countObjects(resources: ResourceMap, { metrics }: Pick<Environment, 'metrics'>): void {
  metrics.collected({ name: 'apiserver_resource_objects', help: 'Number of stored objects', type: 'gauge' }, () => {
    const storedResources = [...resources].filter(({ type, stored }) => type === stored)
    return storedResources.map(({ groupResource, allObjects, prefix }) => ({
      labels: { ...groupResource },
      value: allObjects.count(prefix),
    }))
  })
}
