import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { keyValuePairs, putKey } from '../../../testing/storage/contract/harness.js'
import { temporaryStoreFolder } from '../../../testing/storage/store-folders.js'
import { UnusableStoreError } from '../../errors.js'
import { openEmbeddedStore } from '../embedded-store.js'
import { restoreSnapshot, saveSnapshot } from '../snapshot/snapshot.js'
import { segmentBytes } from './journal.js'
import { recordEnd } from './record.js'

// This file is also the process that is killed: it puts the given keys, and waits.
if (process.argv[2] === 'write') await writeAndWait(process.argv[3]!, process.argv.slice(4))
else describe('the journal of a store', registerTests)

async function writeAndWait(directory: string, keys: readonly string[]): Promise<void> {
  const store = await openEmbeddedStore({ directory })
  for (const key of keys) await putKey(store, key, `value of ${key}`)
  process.stdout.write('written\n')
  setInterval(() => {}, 1000)
}

/** Returns a folder as a process leaves it that was killed after it had put these keys; LMDB has none of them yet. */
async function killedAfter(context: TestContext, ...keys: readonly string[]): Promise<string> {
  const directory = temporaryStoreFolder(context)
  const program = [fileURLToPath(import.meta.url), 'write', directory, ...keys]
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return directory
}

async function contentOf(directory: string): Promise<string[]> {
  const store = await openEmbeddedStore({ directory })
  const { entries } = await store.range({ prefix: '' })
  await store.close()
  return keyValuePairs(entries)
}

const all = ['a=value of a', 'b=value of b', 'c=value of c']

function registerTests(): void {
  test('has everything that a killed process has acknowledged', async (context) => {
    const directory = await killedAfter(context, 'a', 'b', 'c')
    assert.deepEqual(await contentOf(directory), all)
    assert.deepEqual(readdirSync(directory).sort(), ['data.mdb', 'lock.mdb'], 'and goes when LMDB has it')
    assert.deepEqual(await contentOf(directory), all)
  })

  test('is replayed again if the process that replayed it was killed', async (context) => {
    const directory = await killedAfter(context, 'a', 'b', 'c')
    renameSync(join(directory, 'journal-0'), join(directory, 'journal-0.taken'))
    assert.deepEqual(await contentOf(directory), all)
    assert.ok(!existsSync(join(directory, 'journal-0.taken')))
  })

  test('may end with an incomplete record, which was not acknowledged', async (context) => {
    const directory = await killedAfter(context, 'a', 'b', 'c')
    spoil(directory, 2)
    assert.deepEqual(await contentOf(directory), all.slice(0, 2))
  })

  test('is rejected if a record in the middle is damaged: it was acknowledged', async (context) => {
    const directory = await killedAfter(context, 'a', 'b', 'c')
    spoil(directory, 1)
    await assert.rejects(openEmbeddedStore({ directory }), (error: Error) => {
      assert.ok(error instanceof UnusableStoreError)
      assert.match(error.message, /journal-0.* is damaged: record 2 of the journal cannot be read/)
      return true
    })
  })

  test('wraps around many times, with records of any size', async (context) => {
    const directory = temporaryStoreFolder(context)
    const store = await openEmbeddedStore({ directory })
    const written: string[] = []
    for (let round = 0; round < 60; round++) {
      const value = `${round}`.padEnd(round % 20 === 19 ? segmentBytes / 2 + 100 : 150_000, 'x')
      const keys = Array.from({ length: 3 }, (_, i) => `${String(round).padStart(2, '0')}-${i}`)
      await store.transact({ changes: keys.map((key) => ({ type: 'put', key, value: Buffer.from(value) })) })
      written.push(...keys)
    }
    const read = async () => (await store.range({ prefix: '' })).entries
    assert.deepEqual(
      (await read()).map(({ key }) => key),
      written,
    )
    assert.ok(
      (await read()).every(({ key, value }) =>
        Buffer.from(value)
          .toString()
          .startsWith(`${Number(key.slice(0, 2))}x`),
      ),
    )
    await store.close()
    const again = await openEmbeddedStore({ directory })
    context.after(() => again.close())
    assert.equal((await again.range({ prefix: '', countOnly: true })).count, written.length)
  })

  test('is part of the snapshot of a store in use', async (context) => {
    const directory = temporaryStoreFolder(context)
    const store = await openEmbeddedStore({ directory })
    context.after(() => store.close())
    for (const key of ['a', 'b', 'c']) await putKey(store, key, `value of ${key}`)
    await store.transact({ changes: [{ type: 'delete', key: 'b' }] })
    const file = join(temporaryStoreFolder(context), 'snapshot')
    await saveSnapshot(directory, file)
    const restored = join(temporaryStoreFolder(context), 'restored')
    await restoreSnapshot(file, restored)
    assert.deepEqual(await contentOf(restored), ['a=value of a', 'c=value of c'])
  })
}

/** Flips a bit in the middle of a record. */
function spoil(directory: string, number: number): void {
  const path = join(directory, 'journal-0')
  const bytes = readFileSync(path)
  let start = 0
  for (let i = 0; i < number; i++) start = recordEnd(bytes, start)!
  bytes[Math.floor((start + recordEnd(bytes, start)!) / 2)]! ^= 1
  writeFileSync(path, bytes)
}
