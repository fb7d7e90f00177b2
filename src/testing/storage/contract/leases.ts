import assert from 'node:assert/strict'
import { LeaseNotFoundError } from '../../../storage/errors.js'
import { bytes, currentRevision, pairs, passUntilExpired, put, replay, type StoreTests } from './harness.js'

export const leases: StoreTests = {
  async 'a key under a lease names it, and dies with it'(store, { pass }) {
    const lease = await store.grantLease(2)
    assert.match(lease.id, /^[1-9][0-9]{0,18}$/)
    assert.ok(lease.seconds >= 2)
    const first = await put(store, 'b', '1', lease.id)
    await put(store, 'a', '1', lease.id)
    const last = await put(store, 'free', '1')
    assert.equal((await store.get('a')).entry!.lease, lease.id)
    await pass(lease.seconds * 500)
    assert.ok((await store.get('a')).entry, 'the key lives while half of the time is left')
    await passUntilExpired(store, 'a', pass)
    // Both keys die under one revision, in their order, as by an ordinary transaction.
    const expired = last + 1
    assert.equal(await currentRevision(store), expired)
    const events = await replay(store, { prefix: '', revision: first }, expired)
    assert.deepEqual(events.slice(-2), [`${expired} -a`, `${expired} -b`])
    assert.deepEqual(pairs((await store.range({ prefix: '' })).entries), ['free=1'])
    await assert.rejects(store.keepLeaseAlive(lease.id), LeaseNotFoundError)
  },

  async 'a lease that is kept alive does not expire'(store, { pass }) {
    const lease = await store.grantLease(2)
    await put(store, 'a', '1', lease.id)
    for (let i = 0; i < 4; i++) {
      await pass(lease.seconds * 500)
      assert.deepEqual(await store.keepLeaseAlive(lease.id), lease)
    }
    assert.ok((await store.get('a')).entry)
    await passUntilExpired(store, 'a', pass)
  },

  async 'a lease without keys expires without a revision'(store, { pass }) {
    const before = await put(store, 'a', '1')
    const lease = await store.grantLease(2)
    await pass(lease.seconds * 1000 + 2000)
    await assert.rejects(store.keepLeaseAlive(lease.id), LeaseNotFoundError)
    assert.equal(await currentRevision(store), before)
  },

  async 'revoking a lease deletes its keys under one revision'(store) {
    const lease = await store.grantLease(600)
    await put(store, 'b', '1', lease.id)
    await put(store, 'a', '1', lease.id)
    const before = await put(store, 'c', '1')
    await store.revokeLease(lease.id)
    assert.equal(await currentRevision(store), before + 1)
    assert.deepEqual(pairs((await store.range({ prefix: '' })).entries), ['c=1'])
    assert.deepEqual(await replay(store, { prefix: '', revision: before + 1 }, before + 1), [
      `${before + 1} -a`,
      `${before + 1} -b`,
    ])
  },

  async 'a key belongs to the lease of its last put'(store) {
    const one = await store.grantLease(600)
    const two = await store.grantLease(600)
    assert.notEqual(one.id, two.id)
    await put(store, 'stays', '1', one.id)
    await put(store, 'freed', '1', one.id)
    await put(store, 'freed', '2')
    await put(store, 'moved', '1', one.id)
    await put(store, 'moved', '2', two.id)
    await store.revokeLease(one.id)
    assert.deepEqual(pairs((await store.range({ prefix: '' })).entries), ['freed=2', 'moved=2'])
    await store.revokeLease(two.id)
    assert.deepEqual(pairs((await store.range({ prefix: '' })).entries), ['freed=2'])
  },

  async 'a key that was deleted is no longer the lease’s'(store) {
    const lease = await store.grantLease(600)
    await put(store, 'a', '1', lease.id)
    await store.transact({ changes: [{ type: 'delete', key: 'a' }] })
    const before = await put(store, 'a', '2')
    await store.revokeLease(lease.id)
    assert.equal(await currentRevision(store), before)
    assert.deepEqual(pairs((await store.range({ prefix: '' })).entries), ['a=2'])
  },

  async 'an unknown lease is refused, and nothing of the transaction happens'(store) {
    const before = await currentRevision(store)
    const changes = [
      { type: 'put', key: 'a', value: bytes('1') },
      { type: 'put', key: 'b', value: bytes('1'), lease: '12345' },
    ] as const
    await assert.rejects(store.transact({ changes }), LeaseNotFoundError)
    await assert.rejects(store.transact({ changes }), /12345/)
    await assert.rejects(store.keepLeaseAlive('12345'), LeaseNotFoundError)
    await assert.rejects(store.revokeLease('12345'), LeaseNotFoundError)
    await assert.rejects(store.revokeLease('no number'), LeaseNotFoundError)
    const lease = await store.grantLease(600)
    await store.revokeLease(lease.id)
    await assert.rejects(put(store, 'a', '1', lease.id), LeaseNotFoundError)
    assert.equal(await currentRevision(store), before)
  },
}
