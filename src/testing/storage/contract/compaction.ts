import assert from 'node:assert/strict'
import { CompactedError } from '../../../storage/errors.js'
import {
  deleteKey,
  encodeText,
  keyValuePairs,
  putKey,
  replayEvents,
  type StoreTests,
  StoreWatchReader,
} from './harness.js'

export const compaction: StoreTests = {
  async 'what was compacted cannot be read or watched from, and the error says what can'(store) {
    const first = await putKey(store, 'a', '1')
    await putKey(store, 'a', '2')
    const oldest = await putKey(store, 'b', '1')
    await putKey(store, 'a', '3')
    await store.compact(oldest)
    for (const revision of [first, oldest - 1]) {
      const compacted = (error: Error) => {
        assert.ok(error instanceof CompactedError)
        assert.equal(error.oldest, oldest)
        return true
      }
      await assert.rejects(store.get('a', { revision }), compacted)
      await assert.rejects(store.range({ prefix: '', revision }), compacted)
      await assert.rejects(new StoreWatchReader(store, { prefix: '', revision }).next(), compacted)
    }
  },

  async 'the revision compacted to, and all after it, stay as they were'(store) {
    await putKey(store, 'untouched', '1')
    await putKey(store, 'a', '1')
    await putKey(store, 'gone', '1')
    await deleteKey(store, 'gone')
    await putKey(store, 'later', '1')
    const oldest = await putKey(store, 'a', '2')
    const removed = await deleteKey(store, 'later')
    const last = await putKey(store, 'a', '3')
    await store.compact(oldest)
    const at = async (revision: number) => keyValuePairs((await store.range({ prefix: '', revision })).entries)
    assert.deepEqual(await at(oldest), ['a=2', 'later=1', 'untouched=1'])
    assert.deepEqual(await at(removed), ['a=2', 'untouched=1'])
    assert.deepEqual(await at(last), ['a=3', 'untouched=1'])
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['a=3', 'untouched=1'])
    assert.deepEqual(await replayEvents(store, { prefix: '', revision: oldest + 1 }, last), [
      `${removed} -later`,
      `${last} +a=3`,
    ])
    assert.deepEqual(await replayEvents(store, { prefix: '', revision: oldest }, last), [
      `${oldest} +a=2`,
      `${removed} -later`,
      `${last} +a=3`,
    ])
  },

  async 'what a change replaced is still told when only its revision was compacted'(store) {
    await putKey(store, 'a', 'one')
    const oldest = await putKey(store, 'b', '.')
    await putKey(store, 'a', 'two')
    const last = await deleteKey(store, 'a')
    await store.compact(oldest)
    const reader = new StoreWatchReader(store, { prefix: 'a', revision: oldest + 1, previous: true })
    await reader.reach(last)
    const previous = reader.events.map((event) => event.previous!)
    assert.deepEqual(keyValuePairs(previous), ['a=one', 'a=two'])
    await reader.stop()
  },

  async 'compacting again, or less, changes nothing'(store) {
    await putKey(store, 'a', '1')
    const oldest = await putKey(store, 'a', '2')
    await store.compact(oldest)
    await store.compact(oldest)
    await store.compact(oldest - 1)
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '', revision: oldest })).entries), ['a=2'])
  },

  async 'a store can be compacted to its newest revision, over and over'(store) {
    for (let round = 0; round < 10; round++) {
      for (let i = 0; i < 10; i++) await putKey(store, `k/${i}`, `${round}`)
      const revision = await deleteKey(store, `k/${round}`)
      await store.compact(revision)
      const { entries } = await store.range({ prefix: '' })
      assert.equal(entries.length, 9)
      assert.ok(entries.every((entry) => entry.version >= 1))
    }
  },

  async 'a running watch goes on through a compaction'(store) {
    const first = await putKey(store, 'a', '0')
    const reader = new StoreWatchReader(store, { prefix: '', revision: first })
    await reader.until(({ events }) => events.length === 1)
    let last = first
    for (let i = 1; i <= 20; i++) {
      last = await putKey(store, 'a', `${i}`)
      await reader.reach(last)
      await store.compact(last)
    }
    assert.equal(reader.events.length, 21)
    await reader.stop()
  },

  async 'a watcher that fell behind a compaction gets everything or an error, never a gap'(store) {
    const first = await putKey(store, 'a', 'start')
    const reader = new StoreWatchReader(store, { prefix: '', revision: first })
    await reader.until(({ events }) => events.length === 1)
    const value = encodeText('x'.repeat(100_000))
    for (let round = 0; round < 5; round++)
      await Promise.all(
        Array.from({ length: 100 }, (_, i) => store.transact({ changes: [{ type: 'put', key: `k/${i}`, value }] })),
      )
    const last = await putKey(store, 'a', 'end')
    await store.compact(last)
    await reader
      .until(({ events }) => events.length === 502)
      .catch((error: Error) => assert.ok(error instanceof CompactedError, error))
    const revisions = reader.events.map((event) => (event.type === 'put' ? event.entry.modRevision : 0))
    assert.deepEqual(
      revisions,
      revisions.map((_, i) => first + i),
    )
    await reader.stop()
  },
}
