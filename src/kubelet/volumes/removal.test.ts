import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { pathOnly } from '../../base/regular-file.js'
import { mountsFor, plainFolders } from './mounts.js'
import { removePodFolder } from './removal.js'

describe('the folder of a removed pod', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-removal-'))
    mkdirSync(join(folder, 'pod/volume'), { recursive: true })
    writeFileSync(join(folder, 'data'), '')
  })
  afterEach(() => execFileSync('rm', ['-rf', folder]))

  test('is removed with its contents, and links are not followed', async () => {
    symlinkSync(folder, join(folder, 'pod/volume/link'))
    await removePodFolder(join(folder, 'pod'), plainFolders)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'data'))], [false, true])
    await removePodFolder(join(folder, 'pod'), plainFolders)
  })

  test('is removed also if folders are nested deeper than a path can name', async () => {
    const tree = (name: string) => join(folder, 'pod/volume', name, ...Array<string>(15).fill('d'.repeat(200)))
    for (const name of ['one', 'two']) mkdirSync(tree(name), { recursive: true })
    symlinkSync(folder, join(tree('one'), 'link'))
    renameSync(join(folder, 'pod/volume/one'), join(tree('two'), 'one'))
    await removePodFolder(join(folder, 'pod'), plainFolders)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'data'))], [false, true])
  })
})

describe('mounts in the folder of a removed pod', { skip: process.getuid?.() !== 0 && 'needs root' }, () => {
  const mounts = mountsFor()
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'proa-removal-'))
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', folder])
    for (const name of ['pod', 'node']) mkdirSync(join(folder, name))
  })
  afterEach(() => {
    execFileSync('umount', ['--lazy', folder]) // with everything mounted in it
    execFileSync('rm', ['-rf', folder])
  })
  after(() => mounts.close())

  test('are unmounted while in use, and their contents stay', async () => {
    const point = join(folder, 'pod/with a blank')
    mkdirSync(point)
    await mounts.bind(join(folder, 'node'), point)
    writeFileSync(join(folder, 'node/data'), '')
    const user = openSync(join(point, 'data'), 'r')
    await removePodFolder(join(folder, 'pod'), mounts)
    closeSync(user)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'node/data'))], [false, true])
  })

  test('are unmounted also if a link leads to the folder', async () => {
    const point = join(folder, 'pod/point')
    mkdirSync(point)
    await mounts.bind(join(folder, 'node'), point)
    writeFileSync(join(folder, 'node/data'), '')
    symlinkSync(folder, join(folder, 'link'))
    await removePodFolder(join(folder, 'link/pod'), mounts)
    assert.deepEqual([existsSync(join(folder, 'pod')), existsSync(join(folder, 'node/data'))], [false, true])
  })

  test('stay with the folder if one is a link to a mount of the host', async () => {
    await mounts.mount({ type: 'tmpfs', path: join(folder, 'node'), options: [] })
    writeFileSync(join(folder, 'node/data'), '')
    symlinkSync(join(folder, 'node'), join(folder, 'link'))
    const point = join(folder, 'pod/point')
    writeFileSync(point, '')
    const link = openSync(join(folder, 'link'), pathOnly | constants.O_NOFOLLOW)
    await mounts.bind(`/proc/${process.pid}/fd/${link}`, point)
    closeSync(link)
    await assert.rejects(removePodFolder(join(folder, 'pod'), mounts), {
      message: `${point} is a link: what it leads to is not unmounted`,
    })
    assert.ok(existsSync(join(folder, 'node/data')))
  })
})
