import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { deleteKey, putKey } from '../../testing/storage/contract/harness.js'
import { smallDisk } from '../../testing/storage/store-folders.js'
import { NoSpaceError } from '../errors.js'
import { openEmbeddedStore } from './embedded-store.js'

describe('a full disk', () => {
  test('fails writes with a clear error, not reads, and writes succeed again when there is space', async (context) => {
    const disk = smallDisk(context, '6m')
    if (!disk) return
    const directory = join(disk, 'store')
    const store = await openEmbeddedStore({ directory })
    context.after(() => store.close())
    const value = Buffer.alloc(50_000, 'x')
    const written: string[] = []
    const writeAll = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const key = `key-${String(written.length).padStart(4, '0')}`
        await store.transact({ changes: [{ type: 'put', key, value }] })
        written.push(key)
      }
    }
    await assert.rejects(writeAll(1000), (error: Error) => {
      assert.ok(error instanceof NoSpaceError, error.stack)
      assert.match(error.message, /full; nothing was written/)
      return true
    })
    assert.ok(written.length > 20)
    const check = async () => {
      const { entries } = await store.range({ prefix: 'key-' })
      assert.deepEqual(
        entries.map((entry) => entry.key),
        written,
      )
      assert.ok(entries.every((entry) => entry.value.length === value.length))
    }
    await check()
    const several = await Promise.allSettled(
      Array.from({ length: 20 }, (_, i) => putKey(store, `other-${i}`, 'x'.repeat(200_000))),
    )
    assert.ok(several.every((result) => result.status === 'rejected' && result.reason instanceof NoSpaceError))
    await check()
    execFileSync('mount', ['-o', 'remount,size=12m', disk])
    await writeAll(20)
    await check()
    await store.close()
    const again = await openEmbeddedStore({ directory })
    assert.equal((await again.range({ prefix: 'key-', countOnly: true })).count, written.length)
    await again.close()
  })

  test('deletions free space after compaction, on a disk that cannot grow', async (context) => {
    const disk = smallDisk(context, '6m')
    if (!disk) return
    const store = await openEmbeddedStore({ directory: join(disk, 'store') })
    context.after(() => store.close())
    const value = 'x'.repeat(50_000)
    let count = 0
    await assert.rejects(async () => {
      for (; ; count++) await putKey(store, `key-${count}`, value)
    }, NoSpaceError)
    let revision = 0
    for (let i = 0; i < 30; i++) revision = await deleteKey(store, `key-${i}`)
    await store.compact(revision)
    // The pages are swept along with the following writes.
    for (let i = 0; i < 10; i++) await putKey(store, 'small', `${i}`)
    for (let i = 0; i < 15; i++) await putKey(store, `again-${i}`, value)
    assert.equal((await store.range({ prefix: 'again-' })).count, 15)
  })
})
