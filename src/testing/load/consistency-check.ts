import type { LoadLedger } from './ledger.js'
import type { ListSnapshot } from './lister.js'
import type { SeenEvent } from './watcher.js'

/** Checks that everything that clients saw fits into one history. Returns the faults. */
export function consistencyFaults(observations: LoadObservations): string[] {
  return [
    ...lostWrites(observations),
    ...observations.watchers.flatMap((seen, index) => watcherFaults(observations, seen, index)),
    ...observations.snapshots.flatMap((snapshot) => snapshotFaults(observations, snapshot)),
  ]
}

export interface LoadObservations {
  readonly ledger: LoadLedger
  /** The events of each watcher, from the empty collection on. */
  readonly watchers: readonly (readonly SeenEvent[])[]
  readonly snapshots: readonly ListSnapshot[]
  /** The final list. */
  readonly last: ListSnapshot
}

/** The stored value is the last acknowledged write, or a later unacknowledged one. */
function lostWrites({ ledger, last, watchers }: LoadObservations): string[] {
  const faults: string[] = []
  const history = new Set(watchers[0]!.map(({ name, value, revision }) => `${name} ${value} ${revision}`))
  for (const { name, value, revision } of ledger.acknowledged)
    if (value !== undefined && !history.has(`${name} ${value} ${revision}`))
      faults.push(`${name} was acknowledged at ${revision}, and no watcher saw it`)
  for (const [name, { value }] of ledger.last()) {
    const there = last.values.get(name)
    const isUnacknowledged = ledger.unacknowledged.some((write) => write.name === name && write.value === there)
    if (there !== value && !isUnacknowledged) faults.push(`${name} should be ${brief(value)} and is ${brief(there)}`)
  }
  return faults
}

/** All watchers saw the same events, and only events that were written. Each watcher checks order and duplicates itself. */
function watcherFaults({ ledger, watchers }: LoadObservations, seen: readonly SeenEvent[], index: number): string[] {
  const faults: string[] = []
  const first = watchers[0]!
  if (seen.length !== first.length)
    faults.push(`watcher ${index} saw ${seen.length} events, the first one ${first.length}`)
  const differing = seen.findIndex(
    (event, i) => event.revision !== first[i]?.revision || event.value !== first[i]?.value,
  )
  if (differing >= 0)
    faults.push(`watcher ${index} saw ${brief(seen[differing]?.value)} where the first saw another event`)
  if (index > 0) return faults
  const written = new Set(
    [...ledger.acknowledged, ...ledger.unacknowledged].map(({ name, value }) => `${name} ${value}`),
  )
  for (const { name, value } of seen)
    if (!written.has(`${name} ${value}`)) faults.push(`a watcher saw ${name} as ${brief(value)}, which nobody wrote`)
  return faults
}

/** A list at a revision equals the sum of all events up to it. */
function snapshotFaults({ watchers }: LoadObservations, { revision, values }: ListSnapshot): string[] {
  const expected = new Map<string, string>()
  for (const event of watchers[0]!) {
    if (event.revision > revision) break
    if (event.value === undefined) expected.delete(event.name)
    else expected.set(event.name, event.value)
  }
  const isSame = expected.size === values.size && [...expected].every(([name, value]) => values.get(name) === value)
  return isSame
    ? []
    : [`a list at ${revision} has ${values.size} objects, and the events before it make ${expected.size}`]
}

function brief(value: string | undefined): string {
  return value === undefined ? 'nothing' : value.slice(0, 12)
}
