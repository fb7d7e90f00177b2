import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { keyValuePairs, putKey, StoreWatchReader } from '../../testing/storage/contract/harness.js'
import { folderContents, temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { UnusableStoreError } from '../errors.js'
import { openEmbeddedStore } from './embedded-store.js'
import { FolderLock } from './folder-lock.js'
import { openMedium } from './open-medium.js'

// This file is also the other process, which keeps a store open until it is killed.
if (process.argv[2] === 'hold') await holdUntilKilled(process.argv[3]!)
else describe('a folder that is in use', registerTests)

async function holdUntilKilled(directory: string): Promise<void> {
  await openEmbeddedStore({ directory })
  process.stdout.write('holding\n')
  setInterval(() => {}, 1000)
}

function registerTests(): void {
  test('is rejected with the name of the holder, and free as soon as the holder is killed', async (context) => {
    const directory = temporaryStoreFolder(context)
    const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'hold', directory], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    context.after(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const before = folderContents(directory)
    await assert.rejects(openEmbeddedStore({ directory }), (error: Error) => {
      assert.ok(error instanceof UnusableStoreError)
      assert.ok(error.message.includes(directory))
      assert.match(error.message, new RegExp(`in use by process ${child.pid}, since \\d{4}-\\d\\d-\\d\\dT`))
      return true
    })
    assert.deepEqual(folderContents(directory), before)
    child.kill('SIGKILL')
    await once(child, 'exit')
    const store = await openEmbeddedStore({ directory })
    await putKey(store, 'a', '1')
    await store.close()
  })

  test('is rejected in the same process too, until it is closed', async (context) => {
    const directory = temporaryStoreFolder(context)
    const first = await openEmbeddedStore({ directory })
    await assert.rejects(openEmbeddedStore({ directory }), /in use by this process, since/)
    await putKey(first, 'a', '1')
    await first.close()
    const second = await openEmbeddedStore({ directory })
    assert.deepEqual(keyValuePairs((await second.range({ prefix: '' })).entries), ['a=1'])
    await second.close()
  })

  test('with socket files, one that a dead process left behind does not matter', async (context) => {
    const directory = temporaryStoreFolder(context)
    const name = join(directory, 'holder.sock')
    const listening = `require('node:net').createServer().listen(${JSON.stringify(name)}, () => console.log('listening'))`
    const child = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(child.stdout, 'data')
    await assert.rejects(FolderLock.acquire(directory, systemClock, name), UnusableStoreError)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(existsSync(name))
    const holder = await FolderLock.acquire(directory, systemClock, name)
    await assert.rejects(FolderLock.acquire(directory, systemClock, name), /this process/)
    await holder.release()
    assert.deepEqual(readdirSync(directory), [])
  })

  test('a process that loses the store in spite of the lock can no longer write', async (context) => {
    const directory = temporaryStoreFolder(context)
    const first = await openEmbeddedStore({ directory })
    await putKey(first, 'a', '1')
    // As if the second process were in a container with its own network, where the socket name of the first is not visible.
    const { acquire } = FolderLock
    FolderLock.acquire = (where, clock) => acquire(where, clock, join(where, 'other.sock'))
    context.after(() => {
      FolderLock.acquire = acquire
    })
    const medium = await openMedium(directory, environment())
    const taken = /another process has taken this store over/
    const watching = new StoreWatchReader(first, { prefix: '', revision: 1000 }).next()
    await Promise.all([assert.rejects(watching, taken), assert.rejects(putKey(first, 'a', '2'), taken)])
    await assert.rejects(first.get('a'), taken)
    assert.equal(medium.counters.revision, 2)
    await medium.close()
    await first.close()
  })
}
