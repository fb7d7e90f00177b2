import assert from 'node:assert/strict'
import { ClosedError, FutureRevisionError, InvalidRequestError, TooLargeError } from '../../../storage/errors.js'
import {
  maximumKeyBytes,
  maximumTransactionChanges,
  maximumValueBytes,
  type Store,
  type StoreChange,
} from '../../../storage/store.js'
import { currentRevision, encodeText, putKey, type StoreTests, StoreWatchReader } from './harness.js'

/** What a store refuses, and with which words. */
export const requests: StoreTests = {
  async 'a value over the limit is refused, and one of a megabyte is not'(store) {
    const value = new Uint8Array(maximumValueBytes + 1)
    await assert.rejects(change(store, { type: 'put', key: 'large', value }), (error: Error) => {
      assert.ok(error instanceof TooLargeError)
      assert.match(error.message, /large.*1572865.*1572864/)
      return true
    })
    const allowed = new Uint8Array(1024 * 1024).fill(7)
    await change(store, { type: 'put', key: 'large', value: allowed })
    assert.deepEqual(Buffer.from((await store.get('large')).entry!.value), Buffer.from(allowed))
  },

  async 'what is no key is refused'(store) {
    const long = 'k'.repeat(maximumKeyBytes + 1)
    for (const key of ['', '\ud800', long]) {
      await assert.rejects(store.get(key), InvalidRequestError)
      await assert.rejects(putKey(store, key, 'value'), InvalidRequestError)
      await assert.rejects(change(store, { type: 'delete', key }), InvalidRequestError)
    }
    await assert.rejects(
      store.transact({ compare: [{ key: '', modRevision: 0 }], changes: [{ type: 'delete', key: 'a' }] }),
      InvalidRequestError,
    )
    await putKey(store, 'k'.repeat(maximumKeyBytes), 'the longest key')
  },

  async 'what is no transaction is refused, and nothing of it happens'(store) {
    const before = await currentRevision(store)
    const of = (count: number) => Array.from({ length: count }, (_, i) => putOf(`key-${i}`))
    await assert.rejects(store.transact({ changes: [] }), InvalidRequestError)
    await assert.rejects(store.transact({ changes: [putOf('a'), putOf('b'), putOf('a')] }), /\ba\b.*twice/)
    await assert.rejects(store.transact({ changes: [putOf('a'), { type: 'delete', key: 'a' }] }), InvalidRequestError)
    await assert.rejects(store.transact({ changes: of(maximumTransactionChanges + 1) }), InvalidRequestError)
    assert.deepEqual(await store.range({ prefix: '' }), { revision: before, entries: [], count: 0, more: false })
    await store.transact({ changes: of(maximumTransactionChanges) })
  },

  async 'a revision from the future is refused, except to wait for it'(store) {
    const revision = (await putKey(store, 'a', '1')) + 10
    await assert.rejects(store.get('a', { revision }), (error: Error) => {
      assert.ok(error instanceof FutureRevisionError)
      assert.match(error.message, new RegExp(`${revision}.*${revision - 10}`))
      return true
    })
    await assert.rejects(store.range({ prefix: 'a', revision }), FutureRevisionError)
    await assert.rejects(store.compact(revision), FutureRevisionError)
  },

  async 'numbers that mean nothing are refused'(store) {
    for (const revision of [0, -1, 1.5, Number.NaN, 2 ** 60]) {
      await assert.rejects(store.get('a', { revision }), InvalidRequestError)
      await assert.rejects(store.range({ prefix: '', revision }), InvalidRequestError)
      await assert.rejects(store.compact(revision), InvalidRequestError)
      await assert.rejects(new StoreWatchReader(store, { prefix: '', revision }).next(), InvalidRequestError)
      await assert.rejects(store.grantLease(revision), InvalidRequestError)
    }
    await assert.rejects(store.range({ prefix: '', limit: 0 }), InvalidRequestError)
    await assert.rejects(new StoreWatchReader(store, { prefix: '', progressInterval: 0 }).next(), InvalidRequestError)
  },

  async 'a closed store answers nothing, and closing it twice is no mistake'(store) {
    await putKey(store, 'a', '1')
    const watching = new StoreWatchReader(store, { prefix: '', revision: 1_000_000_000 })
    const waiting = assert.rejects(watching.next(), ClosedError)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await store.close()
    await waiting
    await store.close()
    await assert.rejects(store.get('a'), ClosedError)
    await assert.rejects(store.range({ prefix: '' }), ClosedError)
    await assert.rejects(putKey(store, 'a', '2'), ClosedError)
    await assert.rejects(new StoreWatchReader(store, { prefix: '' }).next(), ClosedError)
    await assert.rejects(store.compact(1), ClosedError)
    await assert.rejects(store.grantLease(10), ClosedError)
    await assert.rejects(store.keepLeaseAlive('1'), ClosedError)
    await assert.rejects(store.revokeLease('1'), ClosedError)
  },

  async 'closing waits for writes that were already asked for'(store, { reopen }) {
    const writes = Array.from({ length: 20 }, (_, i) => putKey(store, `key-${i}`, 'value'))
    const closing = store.close()
    const revisions = await Promise.all(writes)
    await closing
    assert.equal(new Set(revisions).size, 20)
    if (!reopen) return
    const again = await reopen()
    assert.equal((await again.range({ prefix: 'key-' })).count, 20)
  },
}

function putOf(key: string): StoreChange {
  return { type: 'put', key, value: encodeText('value') }
}

function change(store: Store, ...changes: StoreChange[]) {
  return store.transact({ changes })
}
