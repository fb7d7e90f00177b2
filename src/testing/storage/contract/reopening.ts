import assert from 'node:assert/strict'
import { CompactedError } from '../../../storage/errors.js'
import { pairs, passUntilExpired, put, remove, replay, type StoreTests } from './harness.js'

/** For engines whose data outlives the store that wrote it. */
export const reopening: StoreTests = {
  async 'what was written is there after closing and opening again'(store, { reopen }) {
    await put(store, 'a', '1')
    await put(store, 'b', '1')
    await remove(store, 'b')
    const revision = await put(store, 'a', '2')
    const again = await reopen!()
    const found = await again.range({ prefix: '' })
    assert.equal(found.revision, revision)
    assert.deepEqual(pairs(found.entries), ['a=2'])
    assert.equal(found.entries[0]!.version, 2)
    assert.equal(await put(again, 'a', '3'), revision + 1)
  },

  async 'what was compacted stays so after opening again'(store, { reopen }) {
    const first = await put(store, 'a', '1')
    await put(store, 'b', '1')
    await remove(store, 'b')
    const oldest = await put(store, 'a', '2')
    const last = await put(store, 'a', '3')
    await store.compact(oldest)
    const again = await reopen!()
    await assert.rejects(again.get('a', { revision: first }), CompactedError)
    assert.deepEqual(pairs((await again.range({ prefix: '', revision: oldest })).entries), ['a=2'])
    assert.deepEqual(await replay(again, { prefix: '', revision: oldest + 1 }, last), [`${last} +a=3`])
  },

  async 'leases outlive the store, and their time starts again'(store, { reopen, pass }) {
    const lease = await store.grantLease(2)
    const long = await store.grantLease(600)
    await put(store, 'a', '1', lease.id)
    await put(store, 'b', '1', long.id)
    const again = await reopen!()
    assert.deepEqual(pairs((await again.range({ prefix: '' })).entries), ['a=1', 'b=1'])
    await passUntilExpired(again, 'a', pass)
    await again.revokeLease(long.id)
    assert.equal((await again.range({ prefix: '' })).count, 0)
  },
}
