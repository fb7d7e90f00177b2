import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { seededRandom } from '../../base/random.js'
import { putKey } from '../../testing/storage/contract/harness.js'
import { filledStoreFolder, folderContents, temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { UnusableStoreError } from '../errors.js'
import { openEmbeddedStore } from './embedded-store.js'

// This file is also the process that may crash: it reads everything, writes a little, and exits.
if (process.argv[2] === 'read') await readEverything(process.argv[3]!)
else describe('a damaged or foreign file', registerTests)

async function readEverything(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory })
  const { entries } = await store.range({ prefix: '' })
  for (const { key, modRevision } of entries) await store.get(key, { revision: modRevision }).catch(() => {})
  await putKey(store, 'one-more', 'x')
  await store.close()
}

function registerTests(): void {
  const rejected = async (context: TestContext, spoil: (file: string) => void, why: RegExp) => {
    const directory = await filledStoreFolder(context)
    const file = join(directory, 'data.mdb')
    rmSync(join(directory, 'lock.mdb'))
    spoil(file)
    const before = folderContents(directory)
    await assert.rejects(openEmbeddedStore({ directory }), (error: Error) => {
      assert.ok(error instanceof UnusableStoreError, error.stack)
      assert.ok(error.message.startsWith(file), error.message)
      assert.match(error.message, why)
      return true
    })
    assert.deepEqual(folderContents(directory), before)
  }

  test('text is rejected', (context) =>
    rejected(context, (file) => writeFileSync(file, 'hello\n'.repeat(10_000)), /is no store/))

  test('a few bytes are rejected', (context) => rejected(context, (file) => writeFileSync(file, 'hello'), /too short/))

  test('a truncated file is rejected', (context) =>
    rejected(
      context,
      (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
      /is damaged: it should have a page/,
    ))

  test('a file with a hole is rejected', (context) =>
    rejected(
      context,
      (file) => overwrite(file, 4096 * 2, Buffer.alloc(statSync(file).size - 4096 * 2)),
      /is damaged in page/,
    ))

  test('a file with swapped pages is rejected', (context) =>
    rejected(
      context,
      (file) => {
        const bytes = readFileSync(file)
        const middle = 4096 * 2 + Math.floor((bytes.length / 4096 - 2) / 2) * 4096
        writeFileSync(
          file,
          Buffer.concat([bytes.subarray(0, 8192), bytes.subarray(middle), bytes.subarray(8192, middle)]),
        )
      },
      /is damaged in page/,
    ))

  test('a file with a flipped bit in a value is rejected', (context) =>
    rejected(
      context,
      (file) => {
        const bytes = readFileSync(file)
        // In every copy of the value: pages also contain old data.
        const run = Buffer.from('x'.repeat(1000))
        for (let at = bytes.indexOf(run); at >= 0; at = bytes.indexOf(run, at + 1000)) bytes[at + 500]! ^= 1
        writeFileSync(file, bytes)
      },
      /is damaged: the checksum of an entry of log is wrong/,
    ))

  test('the LMDB file of another program is rejected', (context) =>
    rejected(
      context,
      (file) => {
        const other = temporaryStoreFolder(context)
        execFileSync(process.execPath, [
          '-e',
          `const db = require('lmdb').open(${JSON.stringify(other)}); db.putSync('a', 'b')`,
        ])
        copyFileSync(join(other, 'data.mdb'), file)
      },
      /of another program/,
    ))

  test('a store of a later format is rejected', (context) =>
    rejected(
      context,
      (file) => {
        const bytes = readFileSync(file)
        const format = Buffer.from('{"store":"proa","version":1}')
        for (let at = bytes.indexOf(format); at >= 0; at = bytes.indexOf(format, at + 1)) bytes.write('9', at + 26)
        writeFileSync(file, bytes)
      },
      /has format 9; this version of Proa reads format 1/,
    ))

  test('with any bytes overwritten, the file is rejected or readable, and the process does not crash', async (context) => {
    const directory = await filledStoreFolder(context)
    const sound = readFileSync(join(directory, 'data.mdb'))
    const random = seededRandom(7)
    let rejections = 0
    for (let i = 0; i < 12; i++) {
      const spoiled = Buffer.from(sound)
      // Whole words in a few pages, mostly in their first bytes, which have the structure.
      for (let k = 0; k < 5; k++) {
        const page = 2 + random.integer(spoiled.length / 4096 - 2)
        const at = page * 4096 + (random.float() < 0.7 ? random.integer(64) : random.integer(4090))
        spoiled.writeUInt32LE(random.integer(2 ** 32), at)
      }
      writeFileSync(join(directory, 'data.mdb'), spoiled)
      const child = spawn(process.execPath, [fileURLToPath(import.meta.url), 'read', directory], {
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      child.stderr.on('data', (text) => (errors += text))
      const [code, signal] = await once(child, 'exit')
      assert.equal(signal, null, `crashed on file ${i}: ${errors}`)
      if (code !== 0) rejections++
    }
    assert.ok(rejections > 2, `only ${rejections} of 12 were rejected`)
  })
}

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(file)
  bytes.copy(content, offset)
  writeFileSync(file, content)
}
