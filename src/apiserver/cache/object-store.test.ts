import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { ClosedError, CompactedError, UnavailableError } from '../../storage/errors.js'
import { MemoryStore } from '../../storage/memory/memory-store.js'
import { dataOf, InterruptibleStore, keyOf, prefix, thing, WatchReader } from './cache.test.kit.js'
import type { CachedObject } from './cached-object.js'
import { type ObjectStoreOptions, openObjectStore } from './cached-object-store.js'
import type { ObjectStore } from './object-store.js'

async function setUp(context: TestContext, options: ObjectStoreOptions = {}) {
  const clock = new VirtualClock()
  const world = environment({ clock })
  const memory = new MemoryStore({ environment: world })
  const store = new InterruptibleStore(memory)
  const open = () => openObjectStore(store, world, { freeze: true, ...options })
  const objects = await open()
  context.after(async () => {
    await objects.close()
    await memory.close()
  })
  return { clock, memory, store, objects, open, things: objects.collection(prefix) }
}

/** Writes one object, which may be there or not, and expects that to work. */
async function put(objects: ObjectStore, name: string, value: string, seconds?: number): Promise<CachedObject> {
  const key = keyOf('a', name)
  const expected = objects.collection(prefix).get(key)?.revision ?? 0
  const written = await objects.write([
    { key, expected, object: thing('a', name, value), ...(seconds !== undefined && { ttlSeconds: seconds }) },
  ])
  return written![0]!
}

async function remove(objects: ObjectStore, name: string): Promise<CachedObject> {
  const key = keyOf('a', name)
  const { revision } = objects.collection(prefix).get(key)!
  return (await objects.write([{ key, expected: revision, object: undefined }]))![0]!
}

const never = new AbortController().signal

describe('a write', () => {
  test('returns the object that all readers see from then on, with its resource version', async (context) => {
    const { objects, things } = await setUp(context)
    const written = await put(objects, 'x', '1')
    assert.equal(things.get(written.key), written)
    assert.equal(written.object.metadata.resourceVersion, `${written.revision}`)
    assert.equal(Buffer.from(written.bytes).toString(), `${JSON.stringify(written.object)}\n`)
    assert.deepEqual(things.list(prefix), [written])
    assert.equal(objects.waitUntilCurrent(), undefined)
  })

  test('is stored without resource version, even if it was given one', async (context) => {
    const { objects, memory } = await setUp(context)
    const first = await put(objects, 'x', '1')
    await objects.write([{ key: first.key, expected: first.revision, object: first.object }])
    const { entry } = await memory.get(first.key)
    assert.deepEqual(JSON.parse(Buffer.from(entry!.value).toString()), thing('a', 'x', '1'))
  })

  test('with another expected revision changes nothing', async (context) => {
    const { objects, things } = await setUp(context)
    const { key, revision } = await put(objects, 'x', '1')
    const object = thing('a', 'x', '2')
    assert.equal(await objects.write([{ key, expected: 0, object }]), undefined)
    assert.equal(await objects.write([{ key, expected: revision + 1, object }]), undefined)
    assert.equal(await objects.write([{ key, expected: revision + 1, object: undefined }]), undefined)
    const both = [
      { key: keyOf('a', 'y'), expected: 0, object: thing('a', 'y', '1') },
      { key, expected: 0, object },
    ]
    assert.equal(await objects.write(both), undefined)
    assert.equal(things.count(prefix), 1)
    assert.equal(dataOf(things.get(key)!), '1')
  })

  test('succeeds once when many write the same object, and cache and store agree', async (context) => {
    const { objects, things, memory } = await setUp(context)
    const key = keyOf('a', 'x')
    for (let round = 0; round < 20; round++) {
      const expected = things.get(key)?.revision ?? 0
      const values = ['1', '2', '3', '4'].map((value) => `${round}.${value}`)
      const writing = values.map((value) => objects.write([{ key, expected, object: thing('a', 'x', value) }]))
      const winners = (await Promise.all(writing)).filter((written) => written !== undefined)
      assert.equal(winners.length, 1)
      assert.equal(winners[0]![0], things.get(key))
      const stored = (await memory.get(key)).entry!.value
      assert.deepEqual(JSON.parse(Buffer.from(stored).toString()).data, { value: dataOf(things.get(key)!) })
    }
  })

  test('of several objects happens at one revision', async (context) => {
    const { objects, things } = await setUp(context)
    const gone = await put(objects, 'x', '1')
    const written = await objects.write([
      { key: gone.key, expected: gone.revision, object: undefined },
      { key: keyOf('a', 'y'), expected: 0, object: thing('a', 'y', '1') },
    ])
    assert.deepEqual(
      written!.map(({ revision }) => revision),
      [gone.revision + 1, gone.revision + 1],
    )
    assert.deepEqual(things.list(prefix), [written![1]])
  })

  test('that deletes returns the deleted object, with the revision of the deletion', async (context) => {
    const { objects, things } = await setUp(context)
    const { revision, key } = await put(objects, 'x', '1')
    const gone = await remove(objects, 'x')
    assert.equal(gone.revision, revision + 1)
    assert.equal(gone.object.metadata.resourceVersion, `${revision + 1}`)
    assert.equal(dataOf(gone), '1')
    assert.equal(things.get(key), undefined)
  })

  test('with a time to live is undone when it expires, and not before', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const { key } = await put(objects, 'x', '1', 3600)
    await put(objects, 'y', '1', 15)
    await put(objects, 'z', '1')
    await clock.advance('14s')
    assert.equal(things.count(prefix), 3)
    await clock.advance('3s')
    assert.deepEqual(
      things.list(prefix).map(({ object }) => object.metadata.name),
      ['x', 'z'],
    )
    await clock.advance('59m')
    assert.ok(things.get(key))
    await clock.advance('3m')
    assert.equal(things.get(key), undefined)
  })

  test('with a time to live succeeds after its shared lease has expired', async (context) => {
    const { objects, memory, things, clock } = await setUp(context)
    const { key } = await put(objects, 'x', '1', 3600)
    await memory.revokeLease((await memory.get(key)).entry!.lease!)
    await clock.settle()
    assert.equal(things.count(prefix), 0)
    await put(objects, 'y', '1', 3600)
    assert.equal(things.count(prefix), 1)
  })

  test('that fails in the store fails here', async (context) => {
    const { objects, memory } = await setUp(context)
    await memory.close()
    await assert.rejects(put(objects, 'x', '1'), ClosedError)
  })
})

describe('a read', () => {
  test('includes objects from before the cache was opened', async (context) => {
    const { objects, open } = await setUp(context)
    for (const name of ['c', 'a', 'b']) await put(objects, name, '1')
    const again = await open()
    assert.deepEqual(
      again
        .collection(prefix)
        .list(prefix)
        .map(({ object }) => object),
      objects
        .collection(prefix)
        .list(prefix)
        .map(({ object }) => object),
    )
    assert.equal(again.revision, objects.revision)
    await again.close()
  })

  test('lists and counts objects below a prefix, after a key, or of one key', async (context) => {
    const { objects, things } = await setUp(context)
    for (const name of ['x', 'x1', 'x-2', 'y']) await put(objects, name, '1')
    await objects.write([{ key: keyOf('b', 'x'), expected: 0, object: thing('b', 'x', '1') }])
    const names = (...query: Parameters<typeof things.list>) =>
      things.list(...query).map(({ object }) => object.metadata.name)
    assert.deepEqual(names(prefix), ['x', 'x-2', 'x1', 'y', 'x'])
    assert.deepEqual(names(`${prefix}a/`), ['x', 'x-2', 'x1', 'y'])
    assert.deepEqual(names(`${prefix}a/`, keyOf('a', 'x')), ['x-2', 'x1', 'y'])
    assert.deepEqual(names(`${prefix}a/`, keyOf('a', 'x'), 2), ['x-2', 'x1'])
    assert.deepEqual(names(keyOf('a', 'x')), ['x'])
    assert.deepEqual(names(keyOf('a', 'x'), keyOf('a', 'x')), [])
    assert.equal(things.count(`${prefix}a/`), 4)
    assert.equal(things.count(`${prefix}a/`, keyOf('a', 'x1')), 1)
    assert.equal(things.count(keyOf('a', 'x')), 1)
    assert.equal(things.count(`${prefix}c/`), 0)
  })

  test('may be of an older revision, in pages', async (context) => {
    const { objects, things } = await setUp(context)
    for (const name of ['x', 'y', 'z']) await put(objects, name, '1')
    const { revision } = objects
    const unchanged = await things.listAt({ prefix, revision, limit: 2 })
    assert.equal(unchanged.objects[0], things.get(keyOf('a', 'x')))
    await put(objects, 'x', '2')
    await remove(objects, 'y')
    const first = await things.listAt({ prefix, revision, limit: 2 })
    assert.deepEqual(first.objects.map(dataOf), ['1', '1'])
    assert.equal(first.remaining, 1)
    const rest = await things.listAt({ prefix, revision, limit: 2, after: first.objects[1]!.key })
    assert.deepEqual([rest.objects[0], rest.remaining], [things.get(keyOf('a', 'z')), 0])
    assert.deepEqual((await things.listAt({ prefix: keyOf('a', 'y'), revision })).objects.map(dataOf), ['1'])
  })

  test('of a compacted revision fails', async (context) => {
    const { objects, things, memory } = await setUp(context)
    const { revision } = await put(objects, 'x', '1')
    await put(objects, 'x', '2')
    await memory.compact(objects.revision)
    await assert.rejects(things.listAt({ prefix, revision }), CompactedError)
  })

  test('includes writes of other processes, if the store has other writers', async (context) => {
    const { objects, things, open } = await setUp(context, { soleWriter: false })
    const other = await open()
    for (let i = 0; i < 10; i++) {
      const { key } = await put(other, `x${i}`, '1')
      await objects.waitUntilCurrent()
      assert.ok(things.get(key))
    }
    await other.close()
  })

  test('can wait for a revision until its signal is aborted', async (context) => {
    const { objects } = await setUp(context)
    const leaving = new AbortController()
    const impatient = objects.waitForRevision(objects.revision + 1, leaving.signal)
    const patient = objects.waitForRevision(objects.revision + 1, never)
    leaving.abort(new Error('enough'))
    await assert.rejects(impatient, new Error('enough'))
    await put(objects, 'x', '1')
    await patient
    await objects.waitForRevision(objects.revision, never)
  })
})

describe('a watch', () => {
  test('delivers every change after its revision, with the previous object', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const { revision } = await put(objects, 'x', '1')
    const reader = new WatchReader(things.watch({ prefix, revision, signal: never }))
    reader.read()
    await put(objects, 'x', '2')
    await clock.settle()
    reader.read()
    await put(objects, 'y', '1')
    await remove(objects, 'x')
    await clock.settle()
    reader.read()
    await clock.settle()
    assert.deepEqual(reader.seen, ['3 +a/x=2 (1)', '4 +a/y=1', '5 -a/x=2'])
  })

  test('shares its batches with other watches of the same prefix', async (context) => {
    const { objects, things } = await setUp(context)
    const [one, other] = [0, 1].map(() =>
      things.watch({ prefix, revision: objects.revision, signal: never })[Symbol.asyncIterator](),
    )
    const both = [one!.next(), other!.next()]
    await put(objects, 'x', '1')
    const [first, second] = await Promise.all(both)
    assert.equal(first!.value, second!.value)
  })

  test('sees a collection, a namespace or one object, and nothing else', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const prefixes = [prefix, `${prefix}a/`, `${prefix}b/`, keyOf('a', 'x')]
    const readers = prefixes.map(
      (wanted) => new WatchReader(things.watch({ prefix: wanted, revision: 1, signal: never })),
    )
    for (const reader of readers) reader.read()
    await objects.write([
      { key: keyOf('a', 'x'), expected: 0, object: thing('a', 'x', '1') },
      { key: keyOf('a', 'xy'), expected: 0, object: thing('a', 'xy', '1') },
      { key: keyOf('b', 'x'), expected: 0, object: thing('b', 'x', '1') },
      { key: '/registry/other/x', expected: 0, object: thing('a', 'x', '1') },
    ])
    await clock.settle()
    assert.deepEqual(
      readers.map(({ seen }) => seen.map((event) => event.slice(3))),
      [['a/x=1', 'a/xy=1', 'b/x=1'], ['a/x=1', 'a/xy=1'], ['b/x=1'], ['a/x=1']],
    )
  })

  test('may start before this process did, and reaches the present without gap or repetition', async (context) => {
    const { objects, open, clock } = await setUp(context)
    for (const value of ['1', '2', '3']) await put(objects, 'x', value)
    const again = await open()
    const reader = new WatchReader(again.collection(prefix).watch({ prefix, revision: 2, signal: never }))
    const quiet = new WatchReader(again.collection(prefix).watch({ prefix: `${prefix}b/`, revision: 1, signal: never }))
    for (const value of ['4', '5']) {
      reader.read()
      quiet.read()
      await clock.advance('1s')
      await put(objects, 'x', value)
    }
    reader.read()
    await clock.advance('1s')
    assert.deepEqual(reader.seen, ['3 +a/x=2 (1)', '4 +a/x=3 (2)', '5 +a/x=4 (3)', '6 +a/x=5 (4)'])
    await objects.write([{ key: keyOf('b', 'x'), expected: 0, object: thing('b', 'x', '1') }])
    await clock.settle()
    assert.deepEqual(quiet.seen, ['7 +b/x=1'])
    await again.close()
  })

  test('may start at a future revision', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const reader = new WatchReader(things.watch({ prefix, revision: 3, signal: never }))
    reader.read()
    for (const value of ['1', '2', '3', '4']) {
      await put(objects, 'x', value)
      await clock.settle()
      reader.read()
    }
    await clock.settle()
    assert.deepEqual(reader.seen, ['4 +a/x=3 (2)', '5 +a/x=4 (3)'])
  })

  test('with a slow reader misses nothing, as long as the store has the history', async (context) => {
    const { objects, things, memory, clock } = await setUp(context, { recentEvents: 3 })
    const slow = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    const tooSlow = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    for (let i = 1; i <= 10; i++) await put(objects, 'x', `${i}`)
    slow.read()
    await clock.advance('1s')
    slow.read()
    await clock.advance('1s')
    assert.equal(slow.seen.length, 10)
    await memory.compact(6)
    tooSlow.read()
    await clock.advance('1s')
    assert.ok(tooSlow.ended?.error instanceof CompactedError)
  })

  test('reports its progress when that is due', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const delays = [1000, 2000]
    const progressIn = () => delays.shift()
    const reader = new WatchReader(things.watch({ prefix, revision: 1, signal: never, progressIn }))
    reader.read()
    await clock.advance('999ms')
    assert.deepEqual(reader.seen, [])
    await objects.write([{ key: '/registry/other/x', expected: 0, object: thing('a', 'x', '1') }])
    await clock.advance('1ms')
    assert.deepEqual(reader.seen, ['2 …'])
    await put(objects, 'x', '1')
    await clock.advance('1h')
    reader.read() // what is due comes first, so that a busy collection does not keep it back
    await clock.settle()
    reader.read()
    await clock.settle()
    assert.deepEqual(reader.seen, ['2 …', '2 …', '3 +a/x=1'])
  })

  test('ends when its signal is aborted, even before it starts', async (context) => {
    const { objects, things, clock } = await setUp(context)
    const ending = new AbortController()
    const reader = new WatchReader(things.watch({ prefix, revision: 1, signal: ending.signal }))
    reader.read()
    await clock.settle()
    ending.abort()
    await clock.settle()
    assert.deepEqual(reader.ended, {})
    const late = new WatchReader(things.watch({ prefix, revision: 1, signal: ending.signal }))
    late.read()
    await clock.settle()
    assert.deepEqual(late.ended, {})
    await put(objects, 'x', '1')
    assert.deepEqual([reader.seen, late.seen], [[], []])
  })
})

describe('after the store was unreachable', () => {
  test('watches continue at their position', async (context) => {
    const { objects, things, store, clock, memory } = await setUp(context)
    const reader = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    reader.read()
    await put(objects, 'x', '1')
    await clock.settle()
    reader.read()
    store.interrupt(new UnavailableError('no answer'))
    await memory.transact({ changes: [{ type: 'delete', key: keyOf('a', 'x') }] })
    await clock.advance('1s')
    assert.deepEqual(reader.seen, ['2 +a/x=1', '3 -a/x=1'])
    assert.equal(objects.revision, 3)
  })

  test('and has compacted the last seen revision, the cache reloads and watches end', async (context) => {
    const { objects, things, store, clock, memory } = await setUp(context)
    await put(objects, 'x', '1')
    const left = await put(objects, 'y', '1')
    const reader = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    reader.read()
    await clock.settle()
    reader.read()
    store.interrupt(new CompactedError(2, 3))
    await memory.transact({ changes: [{ type: 'delete', key: keyOf('a', 'x') }] })
    await clock.advance('1s')
    assert.deepEqual(reader.ended, {})
    assert.deepEqual(things.list(prefix), [left])
    assert.equal(things.list(prefix)[0], left)
    const next = new WatchReader(things.watch({ prefix, revision: objects.revision, signal: never }))
    next.read()
    await put(objects, 'z', '1')
    await clock.settle()
    assert.deepEqual(next.seen, ['5 +a/z=1'])
  })

  test('a request that waits for acknowledged writes waits until they are there', async (context) => {
    const { objects, store, clock, things } = await setUp(context)
    store.interrupt(new UnavailableError('no answer'))
    const writing = put(objects, 'x', '1')
    await clock.settle()
    const reading = objects.waitUntilCurrent()
    assert.ok(reading)
    await clock.advance('1s')
    await reading
    assert.equal(things.get(keyOf('a', 'x')), await writing)
  })
})

describe('a store that is closed', () => {
  test('ends watches and rejects later calls', async (context) => {
    const { objects, things, memory, clock } = await setUp(context)
    const reader = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    reader.read()
    const waiting = assert.rejects(objects.waitForRevision(99, never), ClosedError)
    await clock.settle()
    await memory.close()
    await waiting
    await clock.settle()
    assert.deepEqual(reader.ended, {})
    await assert.rejects(async () => objects.waitUntilCurrent(), ClosedError)
    await assert.rejects(put(objects, 'x', '1'), ClosedError)
    const late = new WatchReader(things.watch({ prefix, revision: 1, signal: never }))
    late.read()
    await clock.settle()
    assert.ok(late.ended?.error instanceof ClosedError)
  })
})
