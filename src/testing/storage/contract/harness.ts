/** The workbench of the contract suite: how a test gets its store, and the few verbs that all of its tests speak in. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type {
  Store,
  StoreEntry,
  StoreEvent,
  TransactionResult,
  WatchBatch,
  WatchQuery,
} from '../../../storage/store.js'

export interface StoreUnderTest {
  /** Empty, and written to by nobody else. Its revision may be any: others may have been here before. */
  readonly store: Store
  /** Lets so many milliseconds pass as the store sees them: moves its clock, or waits. */
  pass(milliseconds: number): Promise<void>
  /** Closes the store and opens it again on the same data. Left out where data does not outlive the store. */
  reopen?(): Promise<Store>
}

/** Opens a store for one test. What must be cleaned up besides closing the store is registered with `context.after`. */
export type OpenStore = (context: TestContext) => Promise<StoreUnderTest>

/** No promise of the contract takes half a minute: what hangs fails here, by name. */
const timeout = 30_000

export type StoreTest = (store: Store, rest: StoreUnderTest & { readonly context: TestContext }) => Promise<void>

/** Tests by their sentences. */
export type StoreTests = Readonly<Record<string, StoreTest>>

/** A store's timers do not keep a process alive; while a test waits for one, this does. */
export async function keepProcessAlive<Result>(run: () => Promise<Result>): Promise<Result> {
  const heartbeat = setInterval(() => {}, 1000)
  try {
    return await run()
  } finally {
    clearInterval(heartbeat)
  }
}

/** Registers a test that gets a store of its own, closed afterwards. */
export function storeTest(open: OpenStore, name: string, run: StoreTest): void {
  test(name, { timeout }, async (context) => {
    const opened = await open(context)
    let { store, reopen } = opened
    if (reopen) {
      const reopenTracked = reopen.bind(opened)
      reopen = async () => {
        store = await reopenTracked()
        return store
      }
    }
    try {
      await keepProcessAlive(() => run(store, { ...opened, ...(reopen && { reopen }), context }))
    } finally {
      await store.close()
    }
  })
}

export const encodeText = (text: string): Uint8Array => new TextEncoder().encode(text)
export const decodeText = (value: Uint8Array): string => new TextDecoder().decode(value)

/** Puts whatever was there before, and gives the revision. */
export async function putKey(store: Store, key: string, value: string, lease?: string): Promise<number> {
  return revisionOfSuccess(
    await store.transact({ changes: [{ type: 'put', key, value: encodeText(value), ...(lease && { lease }) }] }),
  )
}

export async function deleteKey(store: Store, key: string): Promise<number> {
  return revisionOfSuccess(await store.transact({ changes: [{ type: 'delete', key }] }))
}

export function revisionOfSuccess(result: TransactionResult): number {
  assert.equal(result.succeeded, true)
  return result.revision
}

export async function currentRevision(store: Store): Promise<number> {
  return (await store.range({ prefix: '', countOnly: true })).revision
}

/** `key=value`, in the order given. */
export function keyValuePairs(entries: readonly StoreEntry[]): string[] {
  return entries.map(({ key, value }) => `${key}=${decodeText(value)}`)
}

/** `revision +key=value` or `revision -key`: one line per event. */
export function storeEventLines(events: readonly StoreEvent[]): string[] {
  return events.map((event) =>
    event.type === 'put'
      ? `${event.entry.modRevision} +${event.entry.key}=${decodeText(event.entry.value)}`
      : `${event.revision} -${event.key}`,
  )
}

/** A watch that a test reads step by step. Left open, it ends with the store. */
export class StoreWatchReader {
  readonly batches: WatchBatch[] = []
  readonly #iterator: AsyncIterator<WatchBatch>

  constructor(store: Store, query: WatchQuery) {
    this.#iterator = store.watch(query)[Symbol.asyncIterator]()
  }

  get events(): StoreEvent[] {
    return this.batches.flatMap((batch) => batch.events)
  }

  /** The revision that the last batch reached. */
  get revision(): number {
    return this.batches.at(-1)?.revision ?? 0
  }

  /** Reads on until `enough`, and fails if the watch ends before that. */
  async until(enough: (reader: StoreWatchReader) => boolean): Promise<this> {
    while (!enough(this)) {
      const next = await this.#iterator.next()
      if (next.done) assert.fail(`the watch ended after ${this.events.length} events`)
      this.batches.push(next.value)
    }
    return this
  }

  async reach(revision: number): Promise<string[]> {
    await this.until((reader) => reader.revision >= revision)
    return storeEventLines(this.events)
  }

  next(): Promise<IteratorResult<WatchBatch>> {
    return this.#iterator.next()
  }

  async stop(): Promise<void> {
    await this.#iterator.return?.()
  }
}

/** All events under a prefix from a revision up to and including another, as lines. */
export async function replayEvents(store: Store, query: WatchQuery, upTo: number): Promise<string[]> {
  const reader = new StoreWatchReader(store, { progressInterval: 20, ...query })
  const found = await reader.reach(upTo)
  await reader.stop()
  return found
}

/** Lets time pass until the key has expired; an engine may be late by a few seconds, but not by more. */
export async function passUntilExpired(store: Store, key: string, pass: StoreUnderTest['pass']): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 250) {
    if (!(await store.get(key)).entry) return
    await pass(250)
  }
  assert.fail(`${key} did not expire`)
}
