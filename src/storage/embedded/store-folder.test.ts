import assert from 'node:assert/strict'
import { chmodSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { open } from 'lmdb'
import { putKey } from '../../testing/storage/contract/harness.js'
import { filledStoreFolder, temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { openEmbeddedStore } from './embedded-store.js'

describe('the files of a store', () => {
  test('are accessible to their owner only', async (context) => {
    const parent = temporaryStoreFolder(context)
    const directory = join(parent, 'deep', 'store')
    const store = await openEmbeddedStore({ directory })
    await putKey(store, 'a', '1')
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    const files = readdirSync(directory)
    assert.deepEqual(files.sort(), ['data.mdb', 'holder.json', 'journal-0', 'journal-1', 'lock.mdb'])
    for (const file of files) assert.equal(statSync(join(directory, file)).mode & 0o777, 0o600, file)
    await store.close()
    assert.deepEqual(readdirSync(directory).sort(), ['data.mdb', 'lock.mdb'])
  })

  test('are made private if they were not', async (context) => {
    const directory = await filledStoreFolder(context)
    chmodSync(directory, 0o755)
    chmodSync(join(directory, 'data.mdb'), 0o644)
    await (await openEmbeddedStore({ directory })).close()
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.equal(statSync(join(directory, 'data.mdb')).mode & 0o777, 0o600)
  })

  test('a store that was killed while it was created is created again', async (context) => {
    const directory = temporaryStoreFolder(context)
    writeFileSync(join(directory, 'data.mdb'), '')
    const store = await openEmbeddedStore({ directory })
    assert.equal(await putKey(store, 'a', '1'), 2)
    await store.close()
    const empty = temporaryStoreFolder(context)
    const bare = open({ path: empty, overlappingSync: false })
    await bare.close()
    const other = await openEmbeddedStore({ directory: empty })
    assert.equal(await putKey(other, 'a', '1'), 2)
    await other.close()
  })

  test('grow beyond the initial memory map', async (context) => {
    const store = await openEmbeddedStore({ directory: temporaryStoreFolder(context), mapSize: 1024 * 1024 })
    context.after(() => store.close())
    const value = Buffer.alloc(100_000, 'x')
    const reading = store.range({ prefix: '' })
    for (let i = 0; i < 300; i++) await store.transact({ changes: [{ type: 'put', key: `key-${i}`, value }] })
    await reading
    const { entries } = await store.range({ prefix: 'key-' })
    assert.equal(entries.length, 300)
    assert.ok(entries.every((entry) => value.equals(entry.value)))
  })
})
