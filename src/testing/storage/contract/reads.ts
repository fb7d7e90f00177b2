import assert from 'node:assert/strict'
import { decodeText, deleteKey, encodeText, keyValuePairs, putKey, type StoreTests } from './harness.js'

export const reads: StoreTests = {
  async 'a key is read as it was at each revision'(store) {
    const absent = await putKey(store, 'other', '1')
    const one = await putKey(store, 'a', 'one')
    const two = await putKey(store, 'a', 'two')
    const gone = await deleteKey(store, 'a')
    const three = await putKey(store, 'a', 'three')
    const at = async (revision: number) => {
      const { entry, revision: of } = await store.get('a', { revision })
      assert.equal(of, revision)
      return entry && `${decodeText(entry.value)} ${entry.createRevision} ${entry.version}`
    }
    assert.equal(await at(absent), undefined)
    assert.equal(await at(one), `one ${one} 1`)
    assert.equal(await at(two), `two ${one} 2`)
    assert.equal(await at(gone), undefined)
    assert.equal(await at(three), `three ${three} 1`)
  },

  async 'a range is a prefix, and nothing beside it'(store) {
    for (const key of ['a', 'a/', 'a/1', 'a/2', 'a0', 'b', 'a/\u{10ffff}', 'a/é']) await putKey(store, key, '.')
    const keys = async (prefix: string) => (await store.range({ prefix })).entries.map((entry) => entry.key)
    assert.deepEqual(await keys('a/'), ['a/', 'a/1', 'a/2', 'a/é', 'a/\u{10ffff}'])
    assert.deepEqual(await keys('a/1'), ['a/1'])
    assert.deepEqual(await keys('b/'), [])
    assert.deepEqual(await keys('a/\u{10ffff}'), ['a/\u{10ffff}'])
    assert.equal((await keys('')).length, 8)
  },

  async 'keys are ordered by their UTF-8 bytes'(store) {
    // In UTF-16, the order that JavaScript compares strings in, the emoji comes before the full-width tilde.
    const keys = ['a', 'a\u0000', 'aa', 'b', 'z', 'é', '～', '😀']
    for (const key of keys.toReversed()) await putKey(store, key, '.')
    const { entries } = await store.range({ prefix: '' })
    assert.deepEqual(
      entries.map((entry) => entry.key),
      keys,
    )
    const after = await store.range({ prefix: '', after: '～' })
    assert.deepEqual(keyValuePairs(after.entries), ['😀=.'])
  },

  async 'a range is read page by page as of one revision'(store) {
    for (let i = 0; i < 10; i++) await putKey(store, `p/${i}`, 'old')
    await putKey(store, 'q', 'outside')
    const first = await store.range({ prefix: 'p/', limit: 4 })
    assert.deepEqual(
      [first.entries.map((entry) => entry.key), first.count, first.more],
      [['p/0', 'p/1', 'p/2', 'p/3'], 10, true],
    )
    for (let i = 0; i < 10; i++) await putKey(store, `p/${i}`, 'new')
    await deleteKey(store, 'p/5')
    await putKey(store, 'p/55', 'new')
    const { revision } = first
    const second = await store.range({ prefix: 'p/', limit: 4, after: 'p/3', revision })
    assert.deepEqual(keyValuePairs(second.entries), ['p/4=old', 'p/5=old', 'p/6=old', 'p/7=old'])
    assert.deepEqual([second.revision, second.count, second.more], [revision, 6, true])
    const third = await store.range({ prefix: 'p/', limit: 4, after: 'p/7', revision })
    assert.deepEqual(keyValuePairs(third.entries), ['p/8=old', 'p/9=old'])
    assert.deepEqual([third.revision, third.count, third.more], [revision, 2, false])
  },

  async 'a page that ends exactly at the end leaves nothing more'(store) {
    for (const key of ['p/1', 'p/2']) await putKey(store, key, '.')
    const page = await store.range({ prefix: 'p/', limit: 2 })
    assert.deepEqual([page.entries.length, page.count, page.more], [2, 2, false])
    const rest = await store.range({ prefix: 'p/', limit: 2, after: 'p/2' })
    assert.deepEqual([rest.entries.length, rest.count, rest.more], [0, 0, false])
  },

  async '`after` may be any text'(store) {
    for (const key of ['p/1', 'p/2', 'p/3']) await putKey(store, key, '.')
    const keysAfter = async (after: string) =>
      (await store.range({ prefix: 'p/', after })).entries.map((entry) => entry.key)
    assert.deepEqual(await keysAfter(''), ['p/1', 'p/2', 'p/3'])
    assert.deepEqual(await keysAfter('a'), ['p/1', 'p/2', 'p/3'])
    assert.deepEqual(await keysAfter('p/11'), ['p/2', 'p/3'])
    assert.deepEqual(await keysAfter('p/3'), [])
    assert.deepEqual(await keysAfter('q'), [])
  },

  async 'keys can be counted without reading them'(store) {
    for (let i = 0; i < 5; i++) await putKey(store, `p/${i}`, '.')
    const revision = await deleteKey(store, 'p/0')
    const counted = await store.range({ prefix: 'p/', countOnly: true })
    assert.deepEqual([counted.entries, counted.count], [[], 4])
    const before = await store.range({ prefix: 'p/', countOnly: true, revision: revision - 1 })
    assert.deepEqual([before.count, before.revision], [5, revision - 1])
  },

  async 'a range at an older revision has what was there then'(store) {
    await putKey(store, 'p/1', 'old')
    await putKey(store, 'p/2', 'old')
    const revision = await putKey(store, 'p/3', 'old')
    await store.transact({
      changes: [
        { type: 'put', key: 'p/1', value: encodeText('new') },
        { type: 'delete', key: 'p/2' },
        { type: 'put', key: 'p/0', value: encodeText('new') },
      ],
    })
    const then = await store.range({ prefix: 'p/', revision })
    assert.deepEqual(keyValuePairs(then.entries), ['p/1=old', 'p/2=old', 'p/3=old'])
    const now = await store.range({ prefix: 'p/' })
    assert.deepEqual(keyValuePairs(now.entries), ['p/0=new', 'p/1=new', 'p/3=old'])
  },

  async 'bytes that were handed out stay as they were'(store) {
    const revision = await putKey(store, 'a', 'first')
    await putKey(store, 'b', 'first')
    const one = (await store.get('a')).entry!
    const many = (await store.range({ prefix: '' })).entries
    const old = (await store.get('a', { revision })).entry!
    for (let i = 0; i < 200; i++) {
      await putKey(store, 'a', `later ${i}`)
      await putKey(store, 'b', `later ${i}`)
    }
    const last = await deleteKey(store, 'a')
    await store.compact(last)
    await store.range({ prefix: '' })
    for (const entry of [one, old, ...many]) assert.equal(decodeText(entry.value), 'first')
  },

  async 'a read sees every write that was acknowledged before it'(store) {
    for (let i = 0; i < 100; i++) {
      const revision = await putKey(store, 'a', `${i}`)
      const [got, ranged] = await Promise.all([store.get('a'), store.range({ prefix: 'a' })])
      assert.ok(got.revision >= revision && ranged.revision >= revision)
      assert.equal(decodeText(got.entry!.value), `${i}`)
      assert.equal(decodeText(ranged.entries[0]!.value), `${i}`)
    }
  },
}
