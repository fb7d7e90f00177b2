import assert from 'node:assert/strict'
import { LeaseNotFoundError } from '../../../storage/errors.js'
import {
  currentRevision,
  encodeText,
  keyValuePairs,
  passUntilExpired,
  putKey,
  replayEvents,
  type StoreTests,
} from './harness.js'

export const leases: StoreTests = {
  async 'a key under a lease names it, and dies with it'(store, { pass }) {
    const lease = await store.grantLease(2)
    assert.match(lease.id, /^[1-9][0-9]{0,18}$/)
    assert.ok(lease.seconds >= 2)
    const first = await putKey(store, 'b', '1', lease.id)
    await putKey(store, 'a', '1', lease.id)
    const last = await putKey(store, 'free', '1')
    assert.equal((await store.get('a')).entry!.lease, lease.id)
    await pass(lease.seconds * 500)
    assert.ok((await store.get('a')).entry, 'the key lives while half of the time is left')
    await passUntilExpired(store, 'a', pass)
    // Both keys die under one revision, in their order, as by an ordinary transaction.
    const expired = last + 1
    assert.equal(await currentRevision(store), expired)
    const events = await replayEvents(store, { prefix: '', revision: first }, expired)
    assert.deepEqual(events.slice(-2), [`${expired} -a`, `${expired} -b`])
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['free=1'])
    await assert.rejects(store.keepLeaseAlive(lease.id), LeaseNotFoundError)
  },

  async 'a lease that is kept alive does not expire'(store, { pass }) {
    const lease = await store.grantLease(2)
    await putKey(store, 'a', '1', lease.id)
    for (let i = 0; i < 4; i++) {
      await pass(lease.seconds * 500)
      assert.deepEqual(await store.keepLeaseAlive(lease.id), lease)
    }
    assert.ok((await store.get('a')).entry)
    await passUntilExpired(store, 'a', pass)
  },

  async 'a lease without keys expires without a revision'(store, { pass }) {
    const before = await putKey(store, 'a', '1')
    const lease = await store.grantLease(2)
    await pass(lease.seconds * 1000 + 2000)
    await assert.rejects(store.keepLeaseAlive(lease.id), LeaseNotFoundError)
    assert.equal(await currentRevision(store), before)
  },

  async 'revoking a lease deletes its keys under one revision'(store) {
    const lease = await store.grantLease(600)
    await putKey(store, 'b', '1', lease.id)
    await putKey(store, 'a', '1', lease.id)
    const before = await putKey(store, 'c', '1')
    await store.revokeLease(lease.id)
    assert.equal(await currentRevision(store), before + 1)
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['c=1'])
    assert.deepEqual(await replayEvents(store, { prefix: '', revision: before + 1 }, before + 1), [
      `${before + 1} -a`,
      `${before + 1} -b`,
    ])
  },

  async 'a key belongs to the lease of its last put'(store) {
    const one = await store.grantLease(600)
    const two = await store.grantLease(600)
    assert.notEqual(one.id, two.id)
    await putKey(store, 'stays', '1', one.id)
    await putKey(store, 'freed', '1', one.id)
    await putKey(store, 'freed', '2')
    await putKey(store, 'moved', '1', one.id)
    await putKey(store, 'moved', '2', two.id)
    await store.revokeLease(one.id)
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['freed=2', 'moved=2'])
    await store.revokeLease(two.id)
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['freed=2'])
  },

  async 'a key that was deleted is no longer the lease’s'(store) {
    const lease = await store.grantLease(600)
    await putKey(store, 'a', '1', lease.id)
    await store.transact({ changes: [{ type: 'delete', key: 'a' }] })
    const before = await putKey(store, 'a', '2')
    await store.revokeLease(lease.id)
    assert.equal(await currentRevision(store), before)
    assert.deepEqual(keyValuePairs((await store.range({ prefix: '' })).entries), ['a=2'])
  },

  async 'an unknown lease is refused, and nothing of the transaction happens'(store) {
    const before = await currentRevision(store)
    const changes = [
      { type: 'put', key: 'a', value: encodeText('1') },
      { type: 'put', key: 'b', value: encodeText('1'), lease: '12345' },
    ] as const
    await assert.rejects(store.transact({ changes }), LeaseNotFoundError)
    await assert.rejects(store.transact({ changes }), /12345/)
    await assert.rejects(store.keepLeaseAlive('12345'), LeaseNotFoundError)
    await assert.rejects(store.revokeLease('12345'), LeaseNotFoundError)
    await assert.rejects(store.revokeLease('no number'), LeaseNotFoundError)
    const lease = await store.grantLease(600)
    await store.revokeLease(lease.id)
    await assert.rejects(putKey(store, 'a', '1', lease.id), LeaseNotFoundError)
    assert.equal(await currentRevision(store), before)
  },
}
