import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { plainFolders } from './mounts.js'
import { removePodFolder } from './removal.js'

describe('the folder of a pod that is gone', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-removal-'))
    mkdirSync(join(folder, 'pod/volume'), { recursive: true })
    writeFileSync(join(folder, 'data'), '')
  })
  afterEach(() => execFileSync('rm', ['-rf', folder]))

  test('goes with all that is in it, and links are not followed', async () => {
    symlinkSync(folder, join(folder, 'pod/volume/link'))
    await removePodFolder(join(folder, 'pod'), plainFolders)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'data'))], [false, true])
    await removePodFolder(join(folder, 'pod'), plainFolders)
  })

  test('goes also if a container nested folders deeper than a path can name', async () => {
    const tree = (name: string) => join(folder, 'pod/volume', name, ...Array<string>(15).fill('d'.repeat(200)))
    for (const name of ['one', 'two']) mkdirSync(tree(name), { recursive: true })
    symlinkSync(folder, join(tree('one'), 'link'))
    renameSync(join(folder, 'pod/volume/one'), join(tree('two'), 'one'))
    await removePodFolder(join(folder, 'pod'), plainFolders)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'data'))], [false, true])
  })
})
