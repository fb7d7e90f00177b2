import assert from 'node:assert/strict'
import { CompactedError } from '../../../storage/errors.js'
import { deleteKey, keyValuePairs, passUntilExpired, putKey, replayEvents, type StoreTests } from './harness.js'

/** For engines whose data outlives the store that wrote it. */
export const reopening: StoreTests = {
  async 'what was written is there after closing and opening again'(store, { reopen }) {
    await putKey(store, 'a', '1')
    await putKey(store, 'b', '1')
    await deleteKey(store, 'b')
    const revision = await putKey(store, 'a', '2')
    const again = await reopen!()
    const found = await again.range({ prefix: '' })
    assert.equal(found.revision, revision)
    assert.deepEqual(keyValuePairs(found.entries), ['a=2'])
    assert.equal(found.entries[0]!.version, 2)
    assert.equal(await putKey(again, 'a', '3'), revision + 1)
  },

  async 'what was compacted stays so after opening again'(store, { reopen }) {
    const first = await putKey(store, 'a', '1')
    await putKey(store, 'b', '1')
    await deleteKey(store, 'b')
    const oldest = await putKey(store, 'a', '2')
    const last = await putKey(store, 'a', '3')
    await store.compact(oldest)
    const again = await reopen!()
    await assert.rejects(again.get('a', { revision: first }), CompactedError)
    assert.deepEqual(keyValuePairs((await again.range({ prefix: '', revision: oldest })).entries), ['a=2'])
    assert.deepEqual(await replayEvents(again, { prefix: '', revision: oldest + 1 }, last), [`${last} +a=3`])
  },

  async 'leases outlive the store, and their time starts again'(store, { reopen, pass }) {
    const lease = await store.grantLease(2)
    const long = await store.grantLease(600)
    await putKey(store, 'a', '1', lease.id)
    await putKey(store, 'b', '1', long.id)
    const again = await reopen!()
    assert.deepEqual(keyValuePairs((await again.range({ prefix: '' })).entries), ['a=1', 'b=1'])
    await passUntilExpired(again, 'a', pass)
    await again.revokeLease(long.id)
    assert.equal((await again.range({ prefix: '' })).count, 0)
  },
}
