import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { AdvancingClock } from '../../testing/storage/advancing-clock.js'
import { putKey } from '../../testing/storage/contract/harness.js'
import { storeContract } from '../../testing/storage/contract/store-contract.js'
import { temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { openEmbeddedStore } from './embedded-store.js'

storeContract('embedded', async (context) => {
  const directory = temporaryStoreFolder(context)
  const clock = new AdvancingClock()
  let store = await openEmbeddedStore({ directory, environment: environment({ clock }) })
  return {
    store,
    pass: (milliseconds) => clock.advance(milliseconds),
    async reopen() {
      await store.close()
      store = await openEmbeddedStore({ directory, environment: environment({ clock }) })
      return store
    },
  }
})

describe('long ranges of an embedded store', () => {
  test('are consistent at one revision, with many of them concurrent and during writes', async (context) => {
    const store = await openEmbeddedStore({ directory: temporaryStoreFolder(context) })
    context.after(() => store.close())
    const value = Buffer.from('before')
    for (let i = 0; i < 120; i++)
      await store.transact({
        changes: Array.from({ length: 100 }, (_, k) => ({ type: 'put', key: `key-${i}-${k}`, value })),
      })
    const ranges = []
    for (let i = 0; i < 120; i++) {
      ranges.push(store.range({ prefix: 'key-' }))
      await putKey(store, `key-${i}-7`, `after ${i}`)
    }
    for (const { entries, revision, count } of await Promise.all(ranges)) {
      assert.equal(count, 12_000)
      assert.equal(entries.length, 12_000)
      assert.ok(entries.every((entry) => entry.modRevision <= revision))
      const changed = entries.filter((entry) => entry.version > 1)
      assert.equal(changed.length, revision - 121, 'exactly the writes before the range are in it')
    }
  })

  test('complete before the store closes', async (context) => {
    const store = await openEmbeddedStore({ directory: temporaryStoreFolder(context) })
    for (let i = 0; i < 100; i++)
      await store.transact({
        changes: Array.from({ length: 100 }, (_, k) => ({
          type: 'put',
          key: `key-${i}-${k}`,
          value: Buffer.from('x'),
        })),
      })
    const range = store.range({ prefix: '' })
    await store.close()
    assert.equal((await range).count, 10_000)
  })
})
