import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { environment } from '../../base/environment.js'
import { EtcdServer, etcdMissing } from '../../testing/etcd/etcd-server.js'
import {
  currentRevision,
  decodeText,
  encodeText,
  putKey,
  StoreWatchReader,
} from '../../testing/storage/contract/harness.js'
import { assertLinearizable, recordHistory } from '../../testing/storage/contract/linearizability.js'
import { UnavailableError } from '../errors.js'
import type { Store, StoreEvent } from '../store.js'
import { openEtcdStore } from './etcd-store.js'
import { eventRevision } from './watch/position.js'

const skip = await etcdMissing()
const timeout = 120_000

test('when the leader is killed and another member stopped during writes, nothing acknowledged is lost and watches see each change once', {
  skip,
  timeout,
}, async () => {
  await using(async (server, stores) => {
    const first = await putKey(stores[0]!, 'start', '.')
    const readers = stores.flatMap((store) =>
      ['', 'c/1'].map((prefix) => new StoreWatchReader(store, { prefix, revision: first, previous: true })),
    )
    const reading = readers.map((reader) => reader.until(({ events }) => events.some(isEnd)))
    const writers = stores.map((store, id) => new Counter(store, id))
    const writing = writers.map((writer) => writer.run())

    await mistreat(server, () => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0))

    for (const writer of writers) writer.stop()
    await Promise.all(writing)
    await retry(() => putKey(stores[0]!, 'c/1/end', '.'))
    await Promise.all(reading)

    const all = readers[0]!.events
    checkHistory(all)
    for (const [i, reader] of readers.entries()) {
      const expected = i % 2 === 0 ? all : all.filter((event) => keyOf(event).startsWith('c/1'))
      assert.deepEqual(described(reader.events), described(expected))
      await reader.stop()
    }
    const puts = new Set(described(all))
    for (const { acknowledged } of writers)
      for (const line of acknowledged) assert.ok(puts.has(line), `${line} was acknowledged, and is lost`)
    await checkEntries(stores[1]!, all)
  })
})

test('the results of many clients are linearizable while members fail', { skip, timeout }, async () => {
  await using(async (server, stores) => {
    let operations = 0
    const counted = stores.map((store) => counting(store, () => operations++))
    const recording = recordHistory(counted, { seed: 7, clients: 9, operations: 300, keys: 12 })
    const over = recording.finally(() => {
      operations = Infinity // the test does not wait for more operations
    })
    await mistreat(server, () => operations)
    assertLinearizable(await over)
  })
})

/** Kills the leader, restarts it, stops another member and continues it. Operations must succeed in between. */
async function mistreat(server: EtcdServer, done: () => number): Promise<void> {
  const progress = async (atLeast: number) => {
    for (const from = done(); done() < from + atLeast; ) await pause(10)
  }
  await progress(50)
  const leader = await server.leader()
  await leader.kill()
  await progress(50)
  await leader.start()
  await progress(50)
  const other = server.members.find((member) => member !== leader)!
  other.pause()
  await progress(50)
  other.resume()
  await other.untilHealthy()
  const next = await server.leader()
  next.pause()
  await progress(50)
  next.resume()
  await next.untilHealthy()
  await progress(50)
}

/** Increments counters, each from its last seen value, and records what was acknowledged. */
class Counter {
  readonly acknowledged: string[] = []
  readonly #store: Store
  readonly #id: number
  #running = true

  constructor(store: Store, id: number) {
    this.#store = store
    this.#id = id
  }

  stop(): void {
    this.#running = false
  }

  async run(): Promise<void> {
    await Promise.all(Array.from({ length: 3 }, (_, lane) => this.#lane(lane)))
  }

  async #lane(lane: number): Promise<void> {
    let modRevision = 0
    for (let i = 0; this.#running; i++) {
      // Every other key is shared by all writers, so that comparisons fail as well.
      const key = `c/${lane}/${i % 2 === 0 ? 'shared' : this.#id}`
      try {
        modRevision = (await this.#store.get(key)).entry?.modRevision ?? 0
        const value = `${this.#id}.${lane}.${i}`
        const result = await this.#store.transact({
          compare: [{ key, modRevision }],
          changes: [{ type: 'put', key, value: encodeText(value) }],
        })
        if (result.succeeded) this.acknowledged.push(`${result.revision} ${key}=${value}`)
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error
      }
    }
  }
}

/** Each revision occurs once and in order, versions of a key have no gap, and each change has the right previous value. */
function checkHistory(events: readonly StoreEvent[]): void {
  const last = new Map<string, StoreEvent & { type: 'put' }>()
  let revision = 0
  for (const event of events) {
    assert.ok(event.type === 'put')
    assert.ok(eventRevision(event) > revision, `${eventRevision(event)} came after ${revision}`)
    revision = eventRevision(event)
    const before = last.get(event.entry.key)
    assert.equal(event.entry.version, (before?.entry.version ?? 0) + 1)
    assert.equal(event.previous?.modRevision, before?.entry.modRevision)
    last.set(event.entry.key, event)
  }
}

async function checkEntries(store: Store, events: readonly StoreEvent[]): Promise<void> {
  const last = new Map(events.map((event) => [keyOf(event), event]))
  const { entries } = await store.range({ prefix: 'c/' })
  for (const entry of entries) {
    const event = last.get(entry.key)
    assert.ok(event?.type === 'put')
    assert.deepEqual(plain(entry), plain(event.entry))
  }
  assert.equal(entries.length, [...last.keys()].filter((key) => key.startsWith('c/')).length)
  assert.equal(await currentRevision(store), Math.max(...events.map(eventRevision)))
}

function plain<E extends { readonly value: Uint8Array }>({ value, ...rest }: E) {
  return { ...rest, value: decodeText(value) }
}

function described(events: readonly StoreEvent[]): string[] {
  return events.map(
    (event) => `${eventRevision(event)} ${keyOf(event)}=${event.type === 'put' && decodeText(event.entry.value)}`,
  )
}

function keyOf(event: StoreEvent): string {
  return event.type === 'put' ? event.entry.key : event.key
}

function isEnd(event: StoreEvent): boolean {
  return keyOf(event) === 'c/1/end'
}

/** The store, with a call of `note` for every completed operation. */
function counting(store: Store, note: () => void): Store {
  return new Proxy(store, {
    get(target, name) {
      if (name !== 'get' && name !== 'transact') return Reflect.get(target, name, target)
      return (...given: never[]) => (target[name] as (...given: never[]) => Promise<unknown>)(...given).finally(note)
    },
  })
}

async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error
    }
  }
}

async function using(run: (server: EtcdServer, stores: readonly Store[]) => Promise<void>): Promise<void> {
  const server = await EtcdServer.start({ members: 3 })
  // Each store prefers another member.
  const stores = await Promise.all(
    server.members.map((_, i) => {
      const random = { ...environment().random, integer: () => i }
      return openEtcdStore({ ...server.connection, timeout: 3000, heartbeat: 500 }, environment({ random }))
    }),
  )
  try {
    await run(server, stores)
  } finally {
    await Promise.all(stores.map((store) => store.close()))
    await server.close()
  }
}
