import type { KeyState, LoggedChange, WriteSet } from '../../engine/medium.js'
import type { LeaseId } from '../../store.js'
import { leasedName } from '../encoding.js'
import type { JournalRecord } from './record.js'

/** A change together with its bytes, as the log keeps them. */
export interface EncodedChange {
  readonly change: LoggedChange
  readonly bytes: Uint8Array
}

/** What commits have changed since LMDB last wrote everything down: only what each thing has become in the end. */
export class Delta {
  /** `null` where the key is gone. */
  readonly states = new Map<string, KeyState | null>()
  /** By revision, then by the place within it. */
  readonly changes = new Map<number, (EncodedChange | undefined)[]>()
  /** The second stands for changes that are not here, and are to be removed from the log. */
  readonly sweptChanges: { readonly revision: number; readonly index: number }[] = []
  /** Undefined where the lease is gone. */
  readonly leases = new Map<LeaseId, number | undefined>()
  /** Names of leased keys: whether they are under that lease. */
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

/** What records of the journal have changed. */
export function deltaFrom(records: readonly JournalRecord[]): Delta {
  const delta = new Delta()
  for (const { writes, changes } of records) delta.add(writes, changes)
  return delta
}

/** A revision's first change is its number 0, except where a revision goes on in a commit of its own. */
function filled(index: number, encoded: EncodedChange): (EncodedChange | undefined)[] {
  const changes: (EncodedChange | undefined)[] = new Array(index).fill(undefined)
  changes.push(encoded)
  return changes
}
