import { DurationHistogram } from '../base/duration-histogram.js'
import type { Environment } from '../base/environment.js'
import type { Store } from '../storage/store.js'
import type { ResourceMap } from './registry/resource-map.js'

const durations = 'etcd_request_duration_seconds'

/** The store, with what it is asked for counted and timed, under the names that upstream gives to etcd's. */
export function measuredStore(store: Store, { clock, metrics }: Pick<Environment, 'clock' | 'metrics'>): Store {
  const tallies = { get: new DurationHistogram(), list: new DurationHistogram(), txn: new DurationHistogram() }
  metrics.collected(
    { name: durations, help: 'How long the store took, by what it was asked for', type: 'histogram' },
    () => Object.entries(tallies).flatMap(([operation, tally]) => [...tally.samples(durations, { operation })]),
  )
  const timed = async <T>(tally: DurationHistogram, answer: Promise<T>): Promise<T> => {
    const began = clock.monotonic()
    try {
      return await answer
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

/** How many objects there are of each resource. */
export function countObjects(resources: ResourceMap, { metrics }: Pick<Environment, 'metrics'>): void {
  metrics.collected({ name: 'apiserver_resource_objects', help: 'Objects that are stored', type: 'gauge' }, () => {
    const kept = [...resources].filter(({ type, stored }) => type === stored)
    return kept.map(({ groupResource, allObjects: everything, prefix }) => ({
      labels: { ...groupResource },
      value: everything.count(prefix),
    }))
  })
}
