import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { writeHostsFile } from './pod-files.js'

describe('the hosts file', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-pod-files-'))
    path = join(folder, 'pod/etc-hosts')
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const write = async (text: string) => assert.equal(await writeHostsFile(join(folder, 'pod'), text), path)

  test('stays the same file and is written only if its content changes', async () => {
    await write('ä\n')
    const before = statSync(path)
    assert.equal(before.mode & 0o777, 0o644)
    await write('ä\n')
    assert.equal(statSync(path).mtimeMs, before.mtimeMs)
    for (const left of ['b\nc\n', 'ab\n', '']) {
      writeFileSync(path, left)
      await write('ä\n')
      assert.equal(readFileSync(path, 'utf8'), 'ä\n')
    }
    assert.equal(statSync(path).ino, before.ino)
  })

  test('is not read whole if a container made it huge', async () => {
    await write('text')
    truncateSync(path, 8 * 2 ** 30)
    await write('text')
    assert.equal(readFileSync(path, 'utf8'), 'text')
  })

  test('is recreated if it is not a regular file: links and pipes are not written to', async () => {
    const other = join(folder, 'other')
    writeFileSync(other, 'mine')
    mkdirSync(join(folder, 'pod'))
    symlinkSync(other, path)
    await write('text')
    assert.ok(lstatSync(path).isFile())
    assert.equal(readFileSync(other, 'utf8'), 'mine')
    rmSync(path)
    execFileSync('mkfifo', [path])
    await write('text')
    assert.equal(readFileSync(path, 'utf8'), 'text')
  })
})
