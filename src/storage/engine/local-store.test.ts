import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { AdvancingClock } from '../../testing/storage/advancing-clock.js'
import { decodeText, deleteKey, encodeText, putKey, StoreWatchReader } from '../../testing/storage/contract/harness.js'
import { CompactedError } from '../errors.js'
import { MemoryStore } from '../memory/memory-store.js'

// Promises of the engine beyond the contract, tested on the memory medium.
describe('a local store', () => {
  test('keeps its oldest revision complete: its deletions and previous values can still be watched', async () => {
    const store = new MemoryStore()
    await putKey(store, 'a', 'one')
    await putKey(store, 'b', 'one')
    const { revision } = await store.transact({
      changes: [
        { type: 'delete', key: 'a' },
        { type: 'put', key: 'b', value: encodeText('two') },
      ],
    })
    await store.compact(revision)
    const last = await putKey(store, 'c', '.')
    // A fork has no recent changes in memory: it must read history.
    const fork = store.fork()
    const reader = new StoreWatchReader(fork, { prefix: '', revision, previous: true })
    assert.deepEqual(await reader.reach(last), [`${revision} -a`, `${revision} +b=two`, `${last} +c=.`])
    const previous = reader.events.map((event) => event.previous && decodeText(event.previous.value))
    assert.deepEqual(previous, ['one', 'one', undefined])
    await Promise.all([store.close(), fork.close()])
  })

  test('sweeps compacted history, even without writes', async () => {
    const store = new MemoryStore()
    for (let i = 0; i < 2000; i++) await putKey(store, `key-${i % 10}`, `${i}`)
    const revision = await deleteKey(store, 'key-0')
    await putKey(store, 'key-1', 'last')
    await store.compact(revision + 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { oldest, swept } = store.counters
    assert.deepEqual([oldest, swept], [revision + 1, revision + 1])
    assert.equal((await store.range({ prefix: '' })).count, 9)
    await store.close()
  })

  test('keeps history for its window, and compacts it afterwards', async () => {
    const clock = new AdvancingClock()
    const store = new MemoryStore({ environment: environment({ clock }), historyWindow: 60_000 })
    const first = await putKey(store, 'a', '1')
    await clock.advance(30_000)
    const second = await putKey(store, 'a', '2')
    await clock.advance(25_000)
    assert.ok((await store.get('a', { revision: first })).entry, 'younger than the window')
    await clock.advance(15_000)
    await assert.rejects(store.get('a', { revision: first - 1 }), CompactedError)
    assert.ok((await store.get('a', { revision: first })).entry, 'it was current 40 seconds ago')
    await clock.advance(30_000)
    await assert.rejects(store.get('a', { revision: first }), CompactedError)
    assert.ok((await store.get('a', { revision: second })).entry)
    await store.close()
  })

  test('lets a watch that is far behind read history while others continue live', async () => {
    const store = new MemoryStore()
    const first = await putKey(store, 'a', 'first')
    const value = encodeText('x'.repeat(1000))
    for (let i = 0; i < 300; i++)
      await store.transact({ changes: Array.from({ length: 50 }, (_, k) => ({ type: 'put', key: `k-${k}`, value })) })
    const behind = new StoreWatchReader(store, { prefix: 'a', revision: first })
    const live = new StoreWatchReader(store, { prefix: 'a', revision: first + 301 })
    const last = await putKey(store, 'a', 'last')
    assert.deepEqual(await live.reach(last), [`${last} +a=last`])
    assert.deepEqual(await behind.reach(last), [`${first} +a=first`, `${last} +a=last`])
    await store.close()
  })

  test('ends a watch with an error if the history that it reads is compacted', async () => {
    const store = new MemoryStore()
    const first = await putKey(store, 'a', 'first')
    for (let i = 0; i < 300; i++)
      await store.transact({
        changes: Array.from({ length: 50 }, (_, k) => ({ type: 'put', key: `k-${k}`, value: encodeText('x') })),
      })
    // A watch for a prefix without changes is still reading when the history is compacted.
    const reading = new StoreWatchReader(store, { prefix: 'b', revision: first }).next()
    await store.compact(first + 300)
    await assert.rejects(reading, CompactedError)
    await store.close()
  })
})
