import assert from 'node:assert/strict'
import type { Store } from '../../../storage/store.js'
import {
  decodeText,
  deleteKey,
  encodeText,
  putKey,
  replayEvents,
  revisionOfSuccess,
  type StoreTests,
  StoreWatchReader,
  storeEventLines,
} from './harness.js'

export const watches: StoreTests = {
  async 'a watch replays the past and goes on live, each change once and in order'(store) {
    const first = await putKey(store, 'a', '0')
    const expected = [`${first} +a=0`]
    for (let i = 1; i < 20; i++) expected.push(`${await putKey(store, 'a', `${i}`)} +a=${i}`)
    const reader = new StoreWatchReader(store, { prefix: '', revision: first })
    await reader.until(({ events }) => events.length >= 5)
    for (let i = 20; i < 40; i++) expected.push(`${await putKey(store, 'a', `${i}`)} +a=${i}`)
    expected.push(`${await deleteKey(store, 'a')} -a`)
    assert.deepEqual(await reader.reach(first + 40), expected)
    await reader.stop()
  },

  async 'there is no gap between the past and the live part while writers are busy'(store) {
    const first = await putKey(store, 'w/0', 'start')
    const writing = writeMany(store, 400)
    const readers = []
    for (let i = 0; i < 8; i++) {
      readers.push(new StoreWatchReader(store, { prefix: 'w/', revision: first }))
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    await writing
    const last = await putKey(store, 'w/0', 'end')
    const [one, ...others] = await Promise.all(readers.map((reader) => reader.reach(last)))
    assert.equal(one!.length, 402)
    const revisions = one!.map((line) => Number(line.split(' ')[0]))
    assert.deepEqual(
      revisions,
      Array.from({ length: 402 }, (_, i) => first + i),
    )
    for (const other of others) assert.deepEqual(other, one)
  },

  async 'a watch sees its prefix only'(store) {
    const revision = await putKey(store, 'a/1', '.')
    await putKey(store, 'a', '.')
    await putKey(store, 'b/1', '.')
    const last = await putKey(store, 'a/2', '.')
    assert.deepEqual(await replayEvents(store, { prefix: 'a/', revision }, last), [
      `${revision} +a/1=.`,
      `${last} +a/2=.`,
    ])
  },

  async 'events carry the whole entry'(store) {
    const created = await putKey(store, 'a', '1')
    const changed = await putKey(store, 'a', '2')
    const reader = new StoreWatchReader(store, { prefix: 'a', revision: changed })
    await reader.until(({ events }) => events.length === 1)
    const [event] = reader.events
    assert.ok(event?.type === 'put')
    const { entry } = event
    assert.deepEqual([entry.createRevision, entry.modRevision, entry.version], [created, changed, 2])
    assert.equal('previous' in event, false)
    await reader.stop()
  },

  async 'the changes of one revision come together, in the order of the transaction'(store) {
    await putKey(store, 'b', 'old')
    const revision = revisionOfSuccess(
      await store.transact({
        changes: [
          { type: 'put', key: 'c', value: encodeText('1') },
          { type: 'delete', key: 'none' },
          { type: 'delete', key: 'b' },
          { type: 'put', key: 'a', value: encodeText('1') },
        ],
      }),
    )
    const reader = new StoreWatchReader(store, { prefix: '', revision })
    const { value } = await reader.next()
    assert.deepEqual(storeEventLines(value.events), [`${revision} +c=1`, `${revision} -b`, `${revision} +a=1`])
    await reader.stop()
  },

  async 'a watch can hand out what each change replaced'(store) {
    const first = await putKey(store, 'a', 'one')
    const reader = new StoreWatchReader(store, { prefix: 'a', revision: first, previous: true })
    await putKey(store, 'a', 'two')
    await reader.until(({ events }) => events.length === 2)
    await deleteKey(store, 'a')
    await putKey(store, 'a', 'three')
    await reader.until(({ events }) => events.length === 4)
    const previous = reader.events.map((event) => event.previous && decodeText(event.previous.value))
    assert.deepEqual(previous, [undefined, 'one', 'two', undefined])
    assert.equal(reader.events[2]!.previous!.modRevision, first + 1)
    assert.equal(reader.events[2]!.previous!.version, 2)
    await reader.stop()
  },

  async 'a watch without a revision begins now'(store) {
    await putKey(store, 'a', 'before')
    const reader = new StoreWatchReader(store, { prefix: '', progressInterval: 20 })
    await reader.until(({ batches }) => batches.length === 1)
    assert.deepEqual(reader.events, [])
    const revision = await putKey(store, 'a', 'after')
    assert.deepEqual(await reader.reach(revision), [`${revision} +a=after`])
    await reader.stop()
  },

  async 'a watch from the future waits for it'(store) {
    const revision = await putKey(store, 'a', '0')
    const reader = new StoreWatchReader(store, { prefix: '', revision: revision + 3 })
    const reading = reader.until(({ events }) => events.length === 2)
    for (let i = 1; i <= 4; i++) await putKey(store, 'a', `${i}`)
    await reading
    assert.deepEqual(storeEventLines(reader.events), [`${revision + 3} +a=3`, `${revision + 4} +a=4`])
    await reader.stop()
  },

  async 'progress marks tell how far a quiet watch has come'(store) {
    const reader = new StoreWatchReader(store, { prefix: 'quiet/', progressInterval: 20 })
    const revision = await putKey(store, 'busy/1', '.')
    await reader.until((read) => read.revision >= revision)
    assert.deepEqual(reader.events, [])
    const later = await putKey(store, 'quiet/1', '.')
    const last = await putKey(store, 'busy/1', '.')
    assert.deepEqual(await reader.reach(last), [`${later} +quiet/1=.`])
    const revisions = reader.batches.map((batch) => batch.revision)
    assert.deepEqual(
      revisions,
      revisions.toSorted((a, b) => a - b),
    )
    await reader.stop()
  },

  async 'no batch and no mark promises a revision that is not reported yet'(store) {
    const first = await putKey(store, 'a', '0')
    const reader = new StoreWatchReader(store, { prefix: '', revision: first, progressInterval: 1 })
    const writing = writeMany(store, 300)
    await reader.until(({ events }) => events.length === 301)
    await writing
    let seen = first - 1
    for (const batch of reader.batches) {
      for (const line of storeEventLines(batch.events)) {
        const revision = Number(line.split(' ')[0])
        assert.ok(revision > seen, `revision ${revision} after a promise of ${seen}`)
      }
      seen = batch.revision
    }
    await reader.stop()
  },

  async 'a watcher that reads slowly misses nothing'(store) {
    const first = await putKey(store, 'a', 'start')
    const reader = new StoreWatchReader(store, { prefix: '', revision: first })
    await reader.until(({ events }) => events.length === 1)
    const value = 'x'.repeat(10_000)
    for (let round = 0; round < 10; round++)
      await Promise.all(Array.from({ length: 100 }, (_, i) => putKey(store, `k/${i}`, value)))
    const found = await reader.reach(first + 1000)
    assert.deepEqual(
      found.map((line) => Number(line.split(' ')[0])),
      Array.from({ length: 1001 }, (_, i) => first + i),
    )
    await reader.stop()
  },

  async 'aborting the signal ends a watch, at once or while it waits'(store) {
    const aborted = new StoreWatchReader(store, { prefix: '', revision: 1, signal: AbortSignal.abort() })
    assert.equal((await aborted.next()).done, true)
    const controller = new AbortController()
    const reader = new StoreWatchReader(store, { prefix: 'never/', signal: controller.signal })
    const waiting = reader.next()
    setTimeout(() => controller.abort(), 20)
    assert.equal((await waiting).done, true)
    assert.equal((await reader.next()).done, true)
  },

  async 'calls of next that overlap are answered one after the other'(store) {
    const first = await putKey(store, 'a', '0')
    const reader = new StoreWatchReader(store, { prefix: '', revision: first })
    const answers = [reader.next(), reader.next(), reader.next()]
    await answers[0]
    const second = await putKey(store, 'a', '1')
    await answers[1]
    const third = await putKey(store, 'a', '2')
    const batches = await Promise.all(answers)
    assert.deepEqual(
      batches.flatMap(({ value }) => storeEventLines(value.events)),
      [`${first} +a=0`, `${second} +a=1`, `${third} +a=2`],
    )
    await reader.stop()
  },

  async 'leaving the loop ends a watch'(store) {
    const revision = await putKey(store, 'a', '1')
    await putKey(store, 'a', '2')
    const watch = store.watch({ prefix: '', revision })[Symbol.asyncIterator]()
    await watch.next()
    await watch.return!()
    assert.equal((await watch.next()).done, true)
    for await (const batch of store.watch({ prefix: '', revision })) {
      assert.ok(batch.events.length > 0)
      break
    }
  },
}

/** Sixteen writers under `w/`, `count` puts in all. */
async function writeMany(store: Store, count: number): Promise<void> {
  let next = 0
  const writer = async () => {
    while (next < count) {
      const i = next++
      await putKey(store, `w/${i % 7}`, `${i}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, writer))
}
