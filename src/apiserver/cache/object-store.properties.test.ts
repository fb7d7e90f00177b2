import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as passed } from 'node:timers/promises'
import fc from 'fast-check'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { openEmbeddedStore } from '../../storage/embedded/embedded-store.js'
import { CompactedError, UnavailableError } from '../../storage/errors.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { dataOf, InterruptibleStore, keyOf, prefix, thing, WatchReader } from './cache.test.kit.js'
import { openObjectStore } from './cached-object-store.js'
import { isBelow } from './key-prefix.js'
import type { ObjectStore } from './object-store.js'

const prefixes = [prefix, `${prefix}a/`, `${prefix}b/`, keyOf('a', 'x'), keyOf('b', 'y')] as const

type Step =
  | { readonly is: 'write'; readonly namespace: string; readonly name: string; readonly deletes: boolean }
  | { readonly is: 'watch'; readonly prefix: string; readonly from: number }
  | { readonly is: 'read'; readonly reader: number }
  | { readonly is: 'list'; readonly prefix: string; readonly at: number; readonly limit: number }
  | { readonly is: 'interrupt'; readonly forgets: boolean }
  | { readonly is: 'rest' }

const write = fc.record({
  is: fc.constant('write' as const),
  namespace: fc.constantFrom('a', 'b'),
  name: fc.constantFrom('x', 'y', 'xy'),
  deletes: fc.boolean(),
})
const calmSteps: fc.Arbitrary<Step>[] = [
  write,
  write,
  fc.record({
    is: fc.constant('watch' as const),
    prefix: fc.constantFrom(...prefixes),
    from: fc.double({ min: 0, max: 1.1, noNaN: true }),
  }),
  fc.record({ is: fc.constant('read' as const), reader: fc.nat() }),
  fc.record({ is: fc.constant('read' as const), reader: fc.nat() }),
  fc.record({
    is: fc.constant('list' as const),
    prefix: fc.constantFrom(...prefixes),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    limit: fc.integer({ min: 1, max: 4 }),
  }),
  fc.constant({ is: 'rest' as const }),
]
const wildSteps = [...calmSteps, fc.record({ is: fc.constant('interrupt' as const), forgets: fc.boolean() })]
const stories = (steps: readonly fc.Arbitrary<Step>[]) => fc.array(fc.oneof(...steps), { maxLength: 120, size: 'max' })

interface Watched {
  readonly reader: WatchReader
  readonly prefix: string
  readonly from: number
}

interface Setting {
  readonly objects: ObjectStore
  readonly store: InterruptibleStore
  /** Lets everything happen that is under way. */
  readonly rest: () => Promise<void>
}

/** Plays a story, and beside it remembers by the simplest means what should be seen. */
class Play {
  readonly #setting: Setting
  /** What everything was, by revision. */
  readonly #states = new Map<number, ReadonlyMap<string, string>>()
  readonly #log: { readonly revision: number; readonly key: string; readonly told: string }[] = []
  readonly #watched: Watched[] = []
  readonly #first: number
  #values = 0

  constructor(setting: Setting) {
    this.#setting = setting
    this.#first = setting.objects.revision
    this.#states.set(this.#first, new Map())
  }

  async step(step: Step): Promise<void> {
    if (step.is === 'write') await this.#write(step)
    else if (step.is === 'watch') this.#watch(step)
    else if (step.is === 'read') this.#watched[step.reader % this.#watched.length]?.reader.read()
    else if (step.is === 'list') await this.#list(step)
    else if (step.is === 'rest') await this.#setting.rest()
    else this.#setting.store.interrupt(step.forgets ? new CompactedError(1, 2) : new UnavailableError('gone for now'))
  }

  async #write({ namespace, name, deletes }: Step & { is: 'write' }): Promise<void> {
    const { objects, rest } = this.#setting
    await Promise.all([objects.waitUntilCurrent(), rest()])
    const key = keyOf(namespace, name)
    const cached = objects.collection(prefix).get(key)
    if (deletes && !cached) return
    const value = `${++this.#values}`
    const object = deletes ? undefined : thing(namespace, name, value)
    const writing = objects.write([{ key, expected: cached?.revision ?? 0, object }])
    await rest()
    this.#remember(key, (await writing)![0]!.revision, deletes ? undefined : value)
  }

  #remember(key: string, revision: number, value: string | undefined): void {
    const before = this.#states.get(revision - 1)!
    const previous = before.get(key)
    const state = new Map(before)
    if (value === undefined) state.delete(key)
    else state.set(key, value)
    this.#states.set(revision, state)
    const name = key.slice(prefix.length)
    const put = `${revision} +${name}=${value}${previous === undefined ? '' : ` (${previous})`}`
    this.#log.push({ revision, key, told: value === undefined ? `${revision} -${name}=${previous}` : put })
  }

  #watch({ prefix: wanted, from: part }: Step & { is: 'watch' }): void {
    const { objects } = this.#setting
    const from = this.#first + Math.floor((objects.revision - this.#first) * part)
    const events = objects
      .collection(prefix)
      .watch({ prefix: wanted, revision: from, signal: new AbortController().signal })
    this.#watched.push({ reader: new WatchReader(events), prefix: wanted, from })
  }

  async #list({ prefix: wanted, at, limit }: Step & { is: 'list' }): Promise<void> {
    const { objects, rest } = this.#setting
    await Promise.all([objects.waitUntilCurrent(), rest()])
    const things = objects.collection(prefix)
    assert.deepEqual(things.list(wanted).map(described), this.#expected(wanted, objects.revision))
    const revision = this.#first + Math.floor((objects.revision - this.#first) * at)
    const pages = []
    for (let after: string | undefined, remaining = 1; remaining > 0; ) {
      const page = await things.listAt({ prefix: wanted, revision, limit, ...(after && { after }) })
      pages.push(...page.objects)
      remaining = page.remaining
      after = page.objects.at(-1)?.key
    }
    assert.deepEqual(pages.map(described), this.#expected(wanted, revision))
  }

  #expected(wanted: string, revision: number): string[] {
    const entries = [...this.#states.get(revision)!].filter(([key]) => isBelow(key, wanted))
    return entries.map(([key, value]) => `${key}=${value}`).sort()
  }

  /** Everyone reads on until nothing comes any more; then each has seen exactly what happened. */
  async end(): Promise<void> {
    await this.#setting.rest()
    for (let before = -1, now = 0; before !== now; ) {
      for (const { reader } of this.#watched) reader.read()
      await this.#setting.rest()
      before = now
      now = this.#watched.reduce((sum, { reader }) => sum + reader.seen.length, 0)
    }
    for (const watched of this.#watched) this.#check(watched)
  }

  #check({ reader, prefix: wanted, from }: Watched): void {
    const happened = this.#log.filter(({ revision, key }) => revision > from && isBelow(key, wanted))
    const told = happened.map((event) => event.told)
    // One that was ended by an interruption has seen the beginning; nobody has seen anything twice, or left anything out.
    assert.deepEqual(reader.seen, reader.ended ? told.slice(0, reader.seen.length) : told)
    if (reader.ended?.error) assert.ok(reader.ended.error instanceof CompactedError)
  }
}

function described(cached: Parameters<typeof dataOf>[0]): string {
  return `${cached.key}=${dataOf(cached)}`
}

describe('with random writes, watches and interruptions', () => {
  test('lists show their revision, and watches deliver every change once and in order', () =>
    fc.assert(
      fc.asyncProperty(
        stories(wildSteps),
        fc.boolean(),
        fc.integer({ min: 1, max: 8 }),
        async (story, soleWriter, recentEvents) => {
          const clock = new VirtualClock()
          const world = environment({ clock })
          const store = new InterruptibleStore(new MemoryStore({ environment: world }))
          const objects = await openObjectStore(store, world, { soleWriter, recentEvents, freeze: true })
          const play = new Play({ objects, store, rest: () => clock.advance(200) })
          for (const step of story) await play.step(step)
          await play.end()
          await objects.close()
          await store.close()
        },
      ),
      { numRuns: 60 },
    ))

  test('the same holds for the store on disk', (context) =>
    fc.assert(
      fc.asyncProperty(stories(calmSteps), fc.integer({ min: 1, max: 8 }), async (story, recentEvents) => {
        const world = environment()
        const store = new InterruptibleStore(await openEmbeddedStore({ directory: temporaryStoreFolder(context) }))
        const objects = await openObjectStore(store, world, { recentEvents, freeze: true })
        const play = new Play({ objects, store, rest: () => passed(1) })
        for (const step of story) await play.step(step)
        await passed(30)
        await play.end()
        await objects.close()
        await store.close()
      }),
      { numRuns: 10 },
    ))
})
