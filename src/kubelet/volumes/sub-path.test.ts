import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { type Mounts, mountsFor } from './mounts.js'
import { removePodFolder } from './removal.js'
import { safeSubPath, subPathIn } from './sub-path.js'

describe('a part of a volume', () => {
  let root: string
  let volume: { path: string; isReadOnly: boolean }
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'proa-parts-'))
    volume = { path: join(root, 'volume'), isReadOnly: false }
    mkdirSync(volume.path)
    mkdirSync(join(root, 'outside'))
    writeFileSync(join(root, 'outside', 'secret'), '')
  })
  afterEach(() => rmSync(root, { recursive: true }))

  test('is made where it is missing, with the mode of the volume', () => {
    chmodSync(volume.path, 0o2777)
    assert.equal(subPathIn(volume, 'deep/er'), join(volume.path, 'deep/er'))
    assert.equal(statSync(join(volume.path, 'deep')).mode & 0o7777, 0o2777)
    assert.equal(statSync(join(volume.path, 'deep/er')).mode & 0o7777, 0o2777)
    assert.equal(subPathIn(volume, 'deep//./er/'), join(volume.path, 'deep/er'))
  })

  test('may be reached by links that stay in the volume', () => {
    mkdirSync(join(volume.path, '..1'))
    writeFileSync(join(volume.path, '..1', 'k'), 'v')
    symlinkSync('..1', join(volume.path, '..data'))
    symlinkSync('..data/k', join(volume.path, 'k'))
    assert.equal(subPathIn(volume, 'k'), join(volume.path, '..1/k'))
  })

  test('does not lead out', () => {
    symlinkSync(join(root, 'outside'), join(volume.path, 'link'))
    symlinkSync('../outside', join(volume.path, 'relative'))
    symlinkSync(join(root, 'nowhere'), join(volume.path, 'dangling'))
    for (const path of ['link', 'link/secret', 'relative/secret', 'link/new/folder'])
      assert.throws(() => subPathIn(volume, path), { message: 'the sub-path leads out of its volume' }, path)
    assert.throws(() => subPathIn(volume, 'dangling/x'))
    assert.equal(existsSync(join(root, 'nowhere')), false)
    assert.equal(existsSync(join(root, 'outside', 'new')), false)
    assert.throws(() => subPathIn(volume, '../outside'), {
      message: "unable to provision SubPath `../outside`: must not contain '..'",
    })
    assert.throws(() => subPathIn(volume, '/etc'), { message: 'error SubPath `/etc` must not be an absolute path' })
  })

  test('of a volume that begins like another is not in that other', () => {
    mkdirSync(`${volume.path}-2`)
    symlinkSync(`${volume.path}-2`, join(volume.path, 'link'))
    assert.throws(() => subPathIn(volume, 'link'), { message: 'the sub-path leads out of its volume' })
  })

  const skip = process.getuid?.() === 0 ? false : 'mounting takes root'
  describe('that containers write to', { skip }, () => {
    let mounts: Mounts
    beforeEach(() => {
      mounts = mountsFor()
    })
    afterEach(async () => {
      await removePodFolder(join(root, 'pod'), mounts)
      mounts.close()
    })
    const bound = (subPath: string) =>
      safeSubPath({
        pod: join(root, 'pod'),
        volumeName: 'v',
        volume,
        subPath,
        containerName: 'c',
        index: 3,
        mounts,
      })

    test('stays what it was when a link takes its place', async () => {
      mkdirSync(join(volume.path, 'part'))
      writeFileSync(join(volume.path, 'part', 'mine'), 'yes')
      const path = await bound('part')
      assert.equal(path, join(root, 'pod/volume-subpaths/v/c/3'))
      rmSync(join(volume.path, 'part'), { recursive: true })
      symlinkSync(join(root, 'outside'), join(volume.path, 'part'))
      assert.equal(existsSync(join(path, 'secret')), false)
      await assert.rejects(bound('part'), { message: 'the sub-path leads out of its volume' })
    })

    test('is bound once, and anew when there is another in its place', async () => {
      writeFileSync(join(volume.path, 'file'), 'one')
      const path = await bound('file')
      assert.equal(await bound('file'), path)
      assert.equal(mounts.within(root).length, 1)
      rmSync(join(volume.path, 'file'))
      writeFileSync(join(volume.path, 'file'), 'two')
      assert.equal(readFileSync(await bound('file'), 'utf8'), 'two')
      assert.equal(mounts.within(root).length, 1)
    })
  })
})
