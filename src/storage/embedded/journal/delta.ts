import type { KeyState, LoggedChange, WriteSet } from '../../engine/medium.js'
import type { LeaseId } from '../../store.js'
import { leasedName } from '../encoding.js'
import type { JournalRecord } from './record.js'

/** A change with its bytes in the log. */
export interface EncodedChange {
  readonly change: LoggedChange
  readonly bytes: Uint8Array
}

/** The changes of commits that LMDB does not have yet: only the final state of each item. */
export class Delta {
  /** `null` for a deleted key. */
  readonly states = new Map<string, KeyState | null>()
  /** By revision, then by index. */
  readonly changes = new Map<number, (EncodedChange | undefined)[]>()
  /** Changes to remove from the log that are not in this delta. */
  readonly sweptChanges: { readonly revision: number; readonly index: number }[] = []
  /** Undefined for a revoked lease. */
  readonly leases = new Map<LeaseId, number | undefined>()
  /** Whether the leased key, by its name in the table, still has the lease. */
  readonly leasedKeys = new Map<string, boolean>()
  bytes = 0

  add(writes: WriteSet, encoded: readonly Uint8Array[]): void {
    for (const [i, change] of writes.changes.entries()) this.#addChange({ change, bytes: encoded[i]! })
    for (const [key, id] of writes.previousLeases) this.leasedKeys.set(leasedName(id, key), false)
    for (const [key, state] of writes.states) {
      this.states.set(key, state)
      if (state.lease !== undefined) this.leasedKeys.set(leasedName(state.lease, key), true)
    }
    for (const position of writes.sweptChanges) this.#sweep(position)
    for (const key of writes.sweptKeys) this.states.set(key, null)
    for (const [id, seconds] of writes.grantedLeases) this.leases.set(id, seconds)
    for (const id of writes.revokedLeases) this.leases.set(id, undefined)
  }

  #addChange(encoded: EncodedChange): void {
    const { modRevision, index } = encoded.change
    const changes = this.changes.get(modRevision)
    if (changes) changes[index] = encoded
    else this.changes.set(modRevision, index === 0 ? [encoded] : filled(index, encoded))
    this.bytes += encoded.bytes.length
  }

  #sweep(position: { readonly revision: number; readonly index: number }): void {
    const changes = this.changes.get(position.revision)
    if (changes?.[position.index]) changes[position.index] = undefined
    else this.sweptChanges.push(position)
  }
}

/** Returns the changes of journal records. */
export function deltaFrom(records: readonly JournalRecord[]): Delta {
  const delta = new Delta()
  for (const { writes, changes } of records) delta.add(writes, changes)
  return delta
}

/** The first change of a revision has index 0, except if the revision continues in another commit. */
function filled(index: number, encoded: EncodedChange): (EncodedChange | undefined)[] {
  const changes: (EncodedChange | undefined)[] = new Array(index).fill(undefined)
  changes.push(encoded)
  return changes
}
