import assert from 'node:assert/strict'
import type { StoreEntry, StoreEvent } from '../../../storage/store.js'

/** What the writing process says. */
export type WriterLine =
  | { readonly type: 'lease'; readonly id: string }
  | { readonly type: 'intent'; readonly id: string; readonly changes: readonly Intended[] }
  | { readonly type: 'done'; readonly id: string; readonly revision: number }
  | { readonly type: 'compacting'; readonly revision: number }
  | { readonly type: 'compacted'; readonly revision: number }

/** A put of so many bytes, or a delete when there is no length. The bytes begin with the transaction's id and a space. */
export interface Intended {
  readonly key: string
  readonly length?: number
  readonly lease?: string
}

interface Version {
  readonly revision: number
  readonly id: string
  readonly length: number | undefined
  readonly createRevision: number
  readonly version: number
  readonly lease: string | undefined
}

/** Everything that the store must now hold, as told by those who wrote to it: the whole history of every key. */
export class WriteLedger {
  /** The revision up to which the ledger is complete. */
  revision = 1
  readonly #keys = new Map<string, Version[]>()
  /** What each revision did, as lines that can be compared. */
  readonly #events = new Map<number, string[]>()

  /** Enters a transaction under the next revision. */
  enter(id: string, changes: readonly Intended[]): void {
    const revision = this.revision + 1
    const events: string[] = []
    for (const { key, length, lease } of changes) {
      const before = this.#newest(key)
      if (length === undefined && !before) continue
      const createRevision = before?.createRevision ?? revision
      const version = (before?.version ?? 0) + 1
      const next: Version = { revision, id, length, createRevision, version, lease }
      const versions = this.#keys.get(key)
      if (versions) versions.push(next)
      else this.#keys.set(key, [next])
      events.push(describe(key, next))
    }
    assert.ok(events.length > 0, `transaction ${id} changes nothing`)
    this.#events.set(revision, events)
    this.revision = revision
  }

  #newest(key: string): Version | undefined {
    const newest = this.#keys.get(key)?.at(-1)
    return newest?.length === undefined ? undefined : newest
  }

  /** What a watch must report from a revision on. */
  eventsFrom(revision: number): string[] {
    const events: string[] = []
    for (let at = revision; at <= this.revision; at++) events.push(...this.eventsOf(at))
    return events
  }

  eventsOf(revision: number): readonly string[] {
    return this.#events.get(revision) ?? []
  }

  /** What a range over everything must give as of a revision. */
  stateAt(revision: number): string[] {
    const found: string[] = []
    for (const [key, versions] of this.#keys) {
      const then = versions.findLast((version) => version.revision <= revision)
      if (then?.length !== undefined) found.push(describe(key, then))
    }
    return found.sort()
  }
}

function describe(key: string, { revision, id, length, createRevision, version, lease }: Version): string {
  if (length === undefined) return `${revision} -${key}`
  return `${revision} +${key} ${id} ${length} bytes, ${createRevision}, ${version}, ${lease ?? 'free'}`
}

export function describeEntry({ key, value, modRevision, createRevision, version, lease }: StoreEntry): string {
  const bytes = Buffer.from(value)
  const id = idOf(value)
  assert.ok(
    bytes.subarray(id.length + 1).every((byte) => byte === 0x78),
    `the value of ${key} is not whole`,
  )
  return describe(key, { revision: modRevision, id, length: value.length, createRevision, version, lease })
}

export function describeEvent(event: StoreEvent): string {
  return event.type === 'put' ? describeEntry(event.entry) : `${event.revision} -${event.key}`
}

export function idOf(value: Uint8Array): string {
  const text = Buffer.from(value.subarray(0, 40)).toString()
  return text.slice(0, text.indexOf(' '))
}
