import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { openEmbeddedStore } from './embedded-store.js'

describe('the data file', () => {
  test('stays small however often its keys are changed (npm run soak:storage makes a million changes)', async (context) => {
    const directory = temporaryStoreFolder(context)
    const store = await openEmbeddedStore({ directory })
    context.after(() => store.close())
    const keys = 100
    const history = 1000
    const valueBytes = 2048
    let revision = 0
    let largest = 0
    for (let round = 0; round < 250; round++) {
      const writes = Array.from({ length: keys }, (_, i) =>
        store.transact({ changes: [{ type: 'put', key: `key-${i}`, value: Buffer.alloc(valueBytes, round) }] }),
      )
      for (const write of writes) revision = Math.max(revision, (await write).revision)
      if (revision > history) await store.compact(revision - history)
      largest = Math.max(largest, statSync(join(directory, 'data.mdb')).size)
    }
    const settledAtOnce = 2 * 1024 * 1024
    const bound = 4 * (keys + history) * valueBytes + settledAtOnce
    assert.ok(largest < bound, `${largest} bytes for ${keys} keys and ${history} changes of ${valueBytes} bytes`)
    assert.equal((await store.range({ prefix: 'key-' })).count, keys)
  })
})
