import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { AdvancingClock } from '../../testing/storage/advancing-clock.js'
import {
  deleteKey,
  keyValuePairs,
  putKey,
  replayEvents,
  StoreWatchReader,
} from '../../testing/storage/contract/harness.js'
import { type OpenStore, storeContract } from '../../testing/storage/contract/store-contract.js'
import { MemoryStore } from './memory-store.js'

const open: OpenStore = async () => {
  const clock = new AdvancingClock()
  const store = new MemoryStore({ environment: environment({ clock }) })
  return { store, pass: (milliseconds) => clock.advance(milliseconds) }
}
storeContract('memory', open, { volatile: true })

describe('a forked memory store', () => {
  test('has all data of the original, and both continue independently', async () => {
    const original = new MemoryStore()
    const first = await putKey(original, 'a', '1')
    await putKey(original, 'b', '1')
    await deleteKey(original, 'b')
    const last = await putKey(original, 'a', '2')
    const copy = original.fork()
    assert.equal(await putKey(original, 'a', 'original'), last + 1)
    assert.equal(await putKey(copy, 'a', 'copy'), last + 1)
    await putKey(copy, 'c', 'copy')
    assert.deepEqual(keyValuePairs((await original.range({ prefix: '' })).entries), ['a=original'])
    assert.deepEqual(keyValuePairs((await copy.range({ prefix: '' })).entries), ['a=copy', 'c=copy'])
    assert.deepEqual(keyValuePairs((await copy.range({ prefix: '', revision: first + 1 })).entries), ['a=1', 'b=1'])
    assert.deepEqual((await replayEvents(copy, { prefix: 'a', revision: first }, last + 1)).length, 3)
    await original.close()
    assert.equal((await copy.get('c')).entry?.version, 1)
    await copy.close()
  })

  test('has the leases with their keys', async () => {
    const original = new MemoryStore()
    const lease = await original.grantLease(600)
    await putKey(original, 'a', '1', lease.id)
    await putKey(original, 'b', '1', lease.id)
    await putKey(original, 'b', '2')
    const copy = original.fork()
    await copy.revokeLease(lease.id)
    assert.deepEqual(keyValuePairs((await copy.range({ prefix: '' })).entries), ['b=2'])
    assert.deepEqual(keyValuePairs((await original.range({ prefix: '' })).entries), ['a=1', 'b=2'])
    assert.deepEqual(await original.keepLeaseAlive(lease.id), lease)
    await Promise.all([original.close(), copy.close()])
  })

  test('does not notify watches of the original', async () => {
    const original = new MemoryStore()
    const reader = new StoreWatchReader(original, { prefix: '', revision: 2 })
    const copy = original.fork()
    await putKey(copy, 'a', 'copy')
    await putKey(original, 'a', 'original')
    assert.deepEqual(await reader.reach(2), ['2 +a=original'])
    await Promise.all([original.close(), copy.close()])
  })

  test('can be created from a large store many times', async () => {
    const original = new MemoryStore()
    const value = new Uint8Array(100)
    for (let i = 0; i < 200; i++)
      await original.transact({
        changes: Array.from({ length: 100 }, (_, k) => ({ type: 'put', key: `key-${i}-${k}`, value })),
      })
    for (let i = 0; i < 100; i++) {
      const copy = original.fork()
      await putKey(copy, 'key-7-7', `${i}`)
      await copy.close()
    }
    assert.equal((await original.get('key-7-7')).entry!.version, 1)
    assert.equal((await original.range({ prefix: '', countOnly: true })).count, 20_000)
    await original.close()
  })
})
