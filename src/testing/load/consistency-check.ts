import type { LoadLedger } from './ledger.js'
import type { ListSnapshot } from './lister.js'
import type { SeenEvent } from './watcher.js'

/** What must hold when all is quiet again: everything that anyone has seen fits into one history. Gives what does not. */
export function consistencyFaults(evidence: LoadObservations): string[] {
  return [
    ...lostWrites(evidence),
    ...evidence.watchers.flatMap((seen, index) => watcherFaults(evidence, seen, index)),
    ...evidence.snapshots.flatMap((snapshot) => snapshotFaults(evidence, snapshot)),
  ]
}

export interface LoadObservations {
  readonly ledger: LoadLedger
  /** What each watcher has seen, from a time when nothing was there. */
  readonly watchers: readonly (readonly SeenEvent[])[]
  readonly snapshots: readonly ListSnapshot[]
  /** What is there at the end. */
  readonly last: ListSnapshot
}

/** What is there is what was acknowledged last, or what came after it and was not acknowledged. */
function lostWrites({ ledger, last, watchers }: LoadObservations): string[] {
  const faults: string[] = []
  const history = new Set(watchers[0]!.map(({ name, value, revision }) => `${name} ${value} ${revision}`))
  for (const { name, value, revision } of ledger.acknowledged)
    if (value !== undefined && !history.has(`${name} ${value} ${revision}`))
      faults.push(`${name} was acknowledged at ${revision}, and no watcher saw it`)
  for (const [name, { value }] of ledger.last()) {
    const there = last.values.get(name)
    const isUnsaid = ledger.unacknowledged.some((write) => write.name === name && write.value === there)
    if (there !== value && !isUnsaid) faults.push(`${name} should be ${brief(value)} and is ${brief(there)}`)
  }
  return faults
}

/** All have seen the same, and nothing that nobody wrote. That nothing came twice or out of order, each has checked as it came. */
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

/** A list at a revision is what the events up to that revision add up to. */
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
