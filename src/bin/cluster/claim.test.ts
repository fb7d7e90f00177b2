import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { mountsFor } from '../../kubelet/volumes/mounts.js'
import { claimDataDirectory, claimIfEmpty } from './claim.js'
import { holdDataDirectory } from './directory-hold.js'
import { DataDirectoryError, inspectDirectory, isDataDirectory } from './inspection.js'
import { MarkerError, markerFile, readMarker, unfinishedMarkerFile } from './marker.js'

function temporary(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'proa-claim-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const claim = (dataDirectory: string, name = 'trial') => claimDataDirectory({ name, dataDirectory })

function write(folder: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), 'content')
  }
}

const refusal = (message: RegExp) => (error: unknown) =>
  error instanceof DataDirectoryError && message.test(error.message)

describe('a data directory', () => {
  test('is made, for its owner only, and marked before anything else is in it', (context) => {
    const folder = join(temporary(context), 'a/b')
    claim(folder)
    assert.deepEqual(readdirSync(folder), [markerFile])
    const { name, isDirectoryMade } = readMarker(folder)!
    assert.deepEqual({ name, isDirectoryMade }, { name: 'trial', isDirectoryMade: true })
    claim(folder)
    assert.equal(readMarker(folder)?.isDirectoryMade, true)
  })

  test('may be an empty directory, which is then known not to be made by Proa', (context) => {
    const folder = temporary(context)
    writeFileSync(join(folder, unfinishedMarkerFile), '{') // of a process that was killed
    claim(folder)
    assert.equal(readMarker(folder)?.isDirectoryMade, false)
  })

  test('may have files of the user once it is marked', (context) => {
    const folder = join(temporary(context), 'data')
    claim(folder)
    write(folder, 'notes.txt')
    claim(folder)
    assert.equal(isDataDirectory(folder), true)
  })

  test('is not a directory with files of somebody else, which it names', (context) => {
    const folder = temporary(context)
    write(folder, 'a', 'b', 'c', 'd/e')
    const message =
      /is not a data directory of Proa: it has a, b, c and 1 more, and no proa-cluster\.json; name a new or empty/
    assert.throws(() => claim(folder), refusal(message))
    assert.throws(() => isDataDirectory(folder), refusal(/nothing was changed$/))
    claimIfEmpty({ name: 'trial', dataDirectory: folder })
    assert.deepEqual(readdirSync(folder).sort(), ['a', 'b', 'c', 'd'])
  })

  test('is not the root directory, nor the home directory, however empty', () => {
    assert.throws(() => claim('/'), refusal(/^\/ is the root directory/))
    assert.throws(() => claim(homedir()), refusal(/is your home directory/))
    assert.throws(() => isDataDirectory(homedir()), refusal(/is your home directory/))
  })

  test('is not a directory with a marker that Proa did not write', (context) => {
    const folder = temporary(context)
    write(folder, markerFile)
    assert.throws(() => claim(folder), MarkerError)
    assert.throws(() => isDataDirectory(folder), MarkerError)
  })

  test('is not there before it is made, or while it is empty', (context) => {
    const folder = temporary(context)
    assert.equal(isDataDirectory(folder), false)
    assert.equal(isDataDirectory(join(folder, 'nowhere')), false)
  })
})

describe('a directory of a version that wrote no marker', () => {
  const older = ['pki/ca.crt', 'pki/ca.key', 'pki/sa.key', 'store/data.mdb', 'admin.kubeconfig', 'nodes/vm/pods/1/x']

  test('is recognized, and marked by the next start', (context) => {
    const folder = temporary(context)
    write(folder, ...older)
    assert.deepEqual(inspectDirectory(folder), { is: 'older' })
    claim(folder)
    assert.equal(readMarker(folder)?.name, 'trial')
    for (const path of older) assert.ok(existsSync(join(folder, path)))
  })

  test('is refused while it has files of the user, and says which', (context) => {
    const folder = temporary(context)
    write(folder, ...older, 'notes.txt')
    const message = new RegExp(
      `an older version of Proa may have made ${folder}, but not ${folder}/notes.txt: move that away`,
    )
    assert.throws(() => claim(folder), refusal(message))
    assert.throws(() => isDataDirectory(folder), refusal(message))
  })

  for (const missing of ['pki/ca.crt', 'pki/sa.key'])
    test(`is not recognized without ${missing}: it may be anybody's`, (context) => {
      const folder = temporary(context)
      write(folder, ...older.filter((path) => path !== missing))
      assert.throws(() => isDataDirectory(folder), refusal(/is not a data directory of Proa/))
    })
})

describe('a data directory that cannot be used is refused at once', () => {
  test('where a file is in the way', (context) => {
    const folder = temporary(context)
    write(folder, 'file')
    assert.throws(() => claim(join(folder, 'file')), refusal(/is not a directory/))
    assert.throws(() => claim(join(folder, 'file/x')), refusal(/cannot be used: a part of its path is a file/))
  })

  test('where nothing can be created', { skip: !existsSync('/proc/self') && 'there is no /proc' }, () => {
    const message = /^the data directory \/proc\/x cannot be used: nothing can be created there; name another one/
    assert.throws(() => claim('/proc/x'), refusal(message))
  })

  test('where a link leads nowhere', (context) => {
    const folder = temporary(context)
    symlinkSync(join(folder, 'nowhere'), join(folder, 'link'))
    assert.throws(() => claim(join(folder, 'link')), refusal(/is a link that leads nowhere/))
  })

  test('where the file system is read-only', { skip: !mountsFor().canBind && 'mounting needs root' }, (context) => {
    const folder = temporary(context)
    mkdirSync(join(folder, 'disk'))
    execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', join(folder, 'disk')])
    try {
      claim(join(folder, 'disk/data'))
      execFileSync('mount', ['-o', 'remount,ro', join(folder, 'disk')])
      for (const path of ['disk/data', 'disk/other'])
        assert.throws(
          () => claim(join(folder, path)),
          refusal(/cannot be used: its file system is read-only; name another/),
        )
    } finally {
      execFileSync('umount', [join(folder, 'disk')])
    }
  })

  test('where one may not write', { skip: process.getuid?.() === 0 && 'root may write everywhere' }, (context) => {
    const folder = temporary(context)
    chmodSync(folder, 0o500)
    assert.throws(() => claim(join(folder, 'data')), refusal(/you have no permission to write to it/))
    assert.throws(() => claim(folder), refusal(/you have no permission to write to it/))
  })
})

test('one process at a time has a data directory', async (context) => {
  const cluster = { name: 'trial', dataDirectory: temporary(context) }
  const hold = await holdDataDirectory(cluster)
  await assert.rejects(holdDataDirectory(cluster), refusal(/is in use by another proa, which starts or deletes/))
  await hold.release()
  await (await holdDataDirectory(cluster)).release()
})
