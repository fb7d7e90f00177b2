import assert from 'node:assert/strict'
import {
  currentRevision,
  decodeText,
  deleteKey,
  encodeText,
  keyValuePairs,
  putKey,
  revisionOfSuccess,
  type StoreTests,
} from './harness.js'

export const transactions: StoreTests = {
  async 'the first put of a key creates it, the next ones count up'(store) {
    const before = await currentRevision(store)
    assert.ok(before >= 1)
    const created = await putKey(store, 'a', 'one')
    assert.equal(created, before + 1)
    const changed = await putKey(store, 'a', 'two')
    assert.equal(changed, before + 2)
    const { entry, revision } = await store.get('a')
    assert.equal(revision, changed)
    assert.deepEqual(keyValuePairs([entry!]), ['a=two'])
    assert.deepEqual(
      { createRevision: entry!.createRevision, modRevision: entry!.modRevision, version: entry!.version },
      { createRevision: created, modRevision: changed, version: 2 },
    )
    assert.equal('lease' in entry!, false)
  },

  async 'a key that was deleted starts anew'(store) {
    await putKey(store, 'a', 'one')
    await putKey(store, 'a', 'two')
    await deleteKey(store, 'a')
    assert.equal((await store.get('a')).entry, undefined)
    const created = await putKey(store, 'a', 'three')
    const { entry } = await store.get('a')
    assert.equal(entry!.createRevision, created)
    assert.equal(entry!.version, 1)
  },

  async 'all changes of a transaction carry one revision'(store) {
    await putKey(store, 'gone', 'soon')
    const before = await currentRevision(store)
    const revision = revisionOfSuccess(
      await store.transact({
        changes: [
          { type: 'put', key: 'b', value: encodeText('1') },
          { type: 'delete', key: 'gone' },
          { type: 'put', key: 'a', value: encodeText('2') },
        ],
      }),
    )
    assert.equal(revision, before + 1)
    const { entries } = await store.range({ prefix: '' })
    assert.deepEqual(keyValuePairs(entries), ['a=2', 'b=1'])
    assert.deepEqual(
      entries.map((entry) => entry.modRevision),
      [revision, revision],
    )
  },

  async 'deleting what does not exist takes no revision'(store) {
    const before = await putKey(store, 'a', '1')
    assert.equal(await deleteKey(store, 'b'), before)
    assert.equal(await currentRevision(store), before)
    assert.equal(await deleteKey(store, 'a'), before + 1)
    assert.equal(await deleteKey(store, 'a'), before + 1)
  },

  async 'a transaction changes nothing unless all of its comparisons hold'(store) {
    const a = await putKey(store, 'a', '1')
    const b = await putKey(store, 'b', '1')
    const changes = [{ type: 'put', key: 'c', value: encodeText('1') }] as const
    const wrong = await store.transact({
      compare: [
        { key: 'b', modRevision: b },
        { key: 'none', modRevision: 0 },
        { key: 'a', modRevision: b },
      ],
      changes,
    })
    assert.ok(!wrong.succeeded)
    assert.equal(wrong.revision, b)
    assert.deepEqual(keyValuePairs(wrong.current), ['b=1', 'a=1'])
    assert.equal((await store.get('c')).entry, undefined)
    const right = await store.transact({
      compare: [
        { key: 'a', modRevision: a },
        { key: 'none', modRevision: 0 },
      ],
      changes,
    })
    assert.deepEqual(right, { succeeded: true, revision: b + 1 })
  },

  async 'comparing with 0 creates a key once'(store) {
    const create = (value: string) =>
      store.transact({
        compare: [{ key: 'a', modRevision: 0 }],
        changes: [{ type: 'put', key: 'a', value: encodeText(value) }],
      })
    const results = await Promise.all(['1', '2', '3', '4'].map(create))
    const winners = results.filter((result) => result.succeeded)
    assert.equal(winners.length, 1)
    const losers = results.filter((result) => !result.succeeded)
    const { entry } = await store.get('a')
    for (const loser of losers) assert.deepEqual(keyValuePairs(loser.current), keyValuePairs([entry!]))
  },

  async 'writes that are under way together each take one revision'(store) {
    const before = await currentRevision(store)
    const revisions = await Promise.all(
      Array.from({ length: 200 }, (_, i) => putKey(store, `key-${i % 10}`, `value-${i}`)),
    )
    const sorted = revisions.toSorted((a, b) => a - b)
    assert.deepEqual(
      sorted,
      Array.from({ length: 200 }, (_, i) => before + 1 + i),
    )
    for (const [i, revision] of revisions.entries()) {
      const { entry } = await store.get(`key-${i % 10}`, { revision })
      assert.equal(entry!.modRevision, revision)
      assert.equal(decodeText(entry!.value), `value-${i}`)
    }
  },

  async 'any bytes may be stored, none at all included'(store) {
    const all = Uint8Array.from({ length: 256 }, (_, i) => i)
    await store.transact({
      changes: [
        { type: 'put', key: 'all', value: all },
        { type: 'put', key: 'none', value: new Uint8Array(0) },
        { type: 'put', key: 'part', value: all.subarray(10, 20) },
      ],
    })
    assert.deepEqual([...(await store.get('all')).entry!.value], [...all])
    assert.deepEqual([...(await store.get('none')).entry!.value], [])
    assert.deepEqual([...(await store.get('part')).entry!.value], [...all.subarray(10, 20)])
  },
}
