import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  decodeText,
  deleteKey,
  keyValuePairs,
  putKey,
  StoreWatchReader,
} from '../../../testing/storage/contract/harness.js'
import { filledStoreFolder, folderContents, temporaryStoreFolder } from '../../../testing/storage/store-folders.js'
import { CompactedError, UnusableStoreError } from '../../errors.js'
import { openEmbeddedStore } from '../embedded-store.js'
import { restoreSnapshot, saveSnapshot, snapshotStatus } from './snapshot.js'

// This file is also the process that writes while a snapshot is taken: pairs of keys that always agree.
if (process.argv[2] === 'write') await writePairs(process.argv[3]!)
else describe('a snapshot', registerTests)

async function writePairs(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory })
  const rest = Buffer.alloc(3000, 'x')
  for (let i = 0; ; i++) {
    const value = Buffer.concat([Buffer.from(`${i} `), rest])
    await store.transact({ changes: [0, 1].map((side) => ({ type: 'put', key: `pair-${i % 50}-${side}`, value })) })
    if (i === 200) process.stdout.write('writing\n')
    if (i % 100 === 0) await store.compact(Math.max(1, i - 50))
  }
}

function registerTests(): void {
  test('restores every key with its revisions, and the leases', async (context) => {
    const directory = temporaryStoreFolder(context)
    const store = await openEmbeddedStore({ directory })
    const lease = await store.grantLease(600)
    const created = await putKey(store, 'a', '1')
    await putKey(store, 'gone', '1')
    const changed = await putKey(store, 'a', '2', lease.id)
    await deleteKey(store, 'gone')
    const last = await putKey(store, 'large', 'x'.repeat(100_000))
    await store.close()

    const folder = temporaryStoreFolder(context)
    const file = join(folder, 'snapshot')
    const saved = await saveSnapshot(directory, file)
    assert.deepEqual({ ...saved, hash: '', bytes: 0 }, { revision: last, keys: 2, leases: 1, hash: '', bytes: 0 })
    assert.match(saved.hash, /^[0-9a-f]{64}$/)
    assert.equal(saved.bytes, statSync(file).size)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), ['snapshot'])

    const restored = join(folder, 'deep', 'store')
    assert.deepEqual(await restoreSnapshot(file, restored), saved)
    const again = await openEmbeddedStore({ directory: restored })
    const { entries, revision } = await again.range({ prefix: '' })
    assert.equal(revision, last + 1, 'restoring is a revision of its own')
    assert.deepEqual(
      entries.map(({ key, modRevision, createRevision, version }) => ({ key, modRevision, createRevision, version })),
      [
        { key: 'a', modRevision: changed, createRevision: created, version: 2 },
        { key: 'large', modRevision: last, createRevision: last, version: 1 },
      ],
    )
    assert.deepEqual(keyValuePairs((await again.range({ prefix: '', revision })).entries).length, 2)
    await assert.rejects(again.get('a', { revision: last }), CompactedError)
    const reader = new StoreWatchReader(again, { prefix: '', revision })
    const next = await putKey(again, 'b', '1')
    assert.deepEqual(await reader.reach(next), [`${next} +b=1`])
    await again.revokeLease(lease.id)
    assert.equal((await again.get('a')).entry, undefined)
    await again.close()
    assert.equal(statSync(restored).mode & 0o777, 0o700)
  })

  test('is consistent at one revision while another process writes', async (context) => {
    const directory = temporaryStoreFolder(context)
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'write', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    context.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const folder = temporaryStoreFolder(context)
    let revision = 0
    for (let i = 0; i < 5; i++) {
      const file = join(folder, `snapshot-${i}`)
      const saved = await saveSnapshot(directory, file)
      assert.ok(saved.revision > revision)
      revision = saved.revision
      await restoreSnapshot(file, join(folder, `store-${i}`))
      const store = await openEmbeddedStore({ directory: join(folder, `store-${i}`) })
      const { entries } = await store.range({ prefix: 'pair-' })
      assert.equal(entries.length, 100)
      for (let k = 0; k < entries.length; k += 2)
        assert.equal(
          decodeText(entries[k]!.value),
          decodeText(entries[k + 1]!.value),
          'both sides of a pair are of one transaction',
        )
      await store.close()
    }
    assert.equal(child.exitCode, null)
  })

  test('is not restored into a folder that is not empty', async (context) => {
    const directory = await filledStoreFolder(context)
    const file = join(temporaryStoreFolder(context), 'snapshot')
    await saveSnapshot(directory, file)
    const before = folderContents(directory)
    await assert.rejects(restoreSnapshot(file, directory), /is not empty/)
    assert.deepEqual(folderContents(directory), before)
  })

  test('that is damaged, truncated or something else is rejected', async (context) => {
    const directory = await filledStoreFolder(context)
    const folder = temporaryStoreFolder(context)
    const file = join(folder, 'snapshot')
    await saveSnapshot(directory, file)
    const whole = readFileSync(file)
    const expectRejection = async (why: RegExp) => {
      assert.throws(() => snapshotStatus(file), UnusableStoreError)
      await assert.rejects(restoreSnapshot(file, join(folder, 'store')), why)
      assert.deepEqual(readdirSync(folder), ['snapshot'])
    }
    whole[5000]! ^= 1
    writeFileSync(file, whole)
    await expectRejection(/damaged or not complete/)
    whole[5000]! ^= 1
    writeFileSync(file, whole)
    truncateSync(file, whole.length - 1000)
    await expectRejection(/damaged or not complete/)
    writeFileSync(file, 'something else')
    await expectRejection(/is no snapshot/)
  })

  test('of a folder without a store is rejected', async (context) => {
    const folder = temporaryStoreFolder(context)
    await assert.rejects(saveSnapshot(folder, join(folder, 'snapshot')), /there is no store/)
    assert.deepEqual(readdirSync(folder), [])
  })
}
