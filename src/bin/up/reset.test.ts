import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { FolderHold } from '../../base/folder-hold.js'
import { mountsFor } from '../../kubelet/volumes/mounts.js'
import { markerFile } from '../cluster/marker.js'
import { ProaUser, program } from './proa-user.test.kit.js'

const canMount = mountsFor().canBind

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, 'precious')
  }
}

describe('a directory that Proa did not make', () => {
  test('is deleted by nobody, and is named', async () => {
    await using user = new ProaUser()
    const folder = user.path('photos')
    write(join(folder, 'summer.jpg'), join(folder, 'store/data.mdb'), join(folder, 'containerd/config.toml'))
    for (const args of [['reset', '--yes'], ['down'], ['status']]) {
      const { code, out, err } = await user.proa(...args, '--data-dir', folder)
      assert.deepEqual({ code, out }, { code: 1, out: '' })
      assert.equal(
        err,
        `proa ${args[0]}: ${folder} is not a data directory of Proa: it has containerd, store, summer.jpg, and no proa-cluster.json; nothing was changed\n`,
      )
    }
    assert.deepEqual(readdirSync(folder), ['containerd', 'store', 'summer.jpg'])
    assert.deepEqual(readdirSync(join(folder, 'containerd')), ['config.toml'])
  })

  test('does not become a data directory', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('photos')
    write(join(folder, 'summer.jpg'))
    const refused = `${folder} is not a data directory of Proa: it has summer.jpg, and no proa-cluster.json; name a new or empty directory with --data-dir\n`
    assert.deepEqual(await user.up(folder), { code: 1, out: '', err: `proa up: ${refused}` })
    assert.deepEqual(readdirSync(folder), ['summer.jpg'])
    rmSync(folder, { recursive: true })
  })

  test('such as the home directory or / is refused whatever is in it', async () => {
    await using user = new ProaUser()
    for (const [folder, what] of [
      [user.home, 'your home directory'],
      ['.', 'your home directory'],
      ['/', 'the root directory'],
    ] as const)
      for (const args of [['up'], ['reset', '--yes'], ['down']]) {
        const { code, err } = await user.proa(...args, '--data-dir', folder)
        assert.equal(code, 1)
        assert.ok(err.includes(`is ${what}, and cannot be a data directory`), err)
      }
  })
})

describe('a name that is none', () => {
  const commands = ['up', 'down', 'status', 'reset', 'doctor', 'apiserver']

  for (const name of ['', 'a/b', 'bad name', '../../x'])
    test(`${JSON.stringify(name)} is refused by every command, also in PROA_NAME`, async () => {
      await using user = new ProaUser()
      const rule = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'"
      for (const each of commands) {
        const { code, err } = await user.proa(each, '--name', name)
        assert.equal(code, 2, each)
        assert.ok(err.startsWith(`proa ${each}: --name=${name} cannot be used: ${rule}`), err)
      }
      const snapshot = await user.proa('snapshot', 'save', 'file', '--name', name)
      assert.ok(snapshot.err.includes(rule), snapshot.err)
      const variable = await user.type(`'${process.execPath}' '${program}' reset --yes`, { PROA_NAME: name })
      assert.equal(variable.code, 2)
      assert.ok(variable.err.startsWith(`proa reset: PROA_NAME=${name} cannot be used: ${rule}`), variable.err)
    })
})

describe('reset', () => {
  test("keeps and names the user's files, and deletes the rest", async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    assert.equal((await user.up(folder)).code, 0)
    const own = [join(folder, 'notes.txt'), join(folder, 'pki', 'mine.crt')]
    write(...own)
    const { code, out } = await user.proa('reset', '--yes', '--data-dir', folder)
    assert.equal(code, 0)
    const lines = out.trimEnd().split('\n')
    assert.equal(lines[0], 'Deleted the cluster proa. Proa did not create these files, and leaves them:')
    assert.deepEqual(lines.slice(1).sort(), own.map((path) => `  ${path}`).sort())
    assert.deepEqual(readdirSync(folder).sort(), ['notes.txt', 'pki'])
    assert.deepEqual(readdirSync(join(folder, 'pki')), ['mine.crt'])
    rmSync(folder, { recursive: true })
  })

  test('leaves an empty directory that was there before', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    mkdirSync(folder)
    assert.equal((await user.up(folder)).code, 0)
    const { out } = await user.proa('reset', '--yes', '--data-dir', folder)
    assert.equal(
      out,
      `Deleted the cluster proa. The empty directory ${folder} stays, because Proa did not create it.\n`,
    )
    assert.deepEqual(readdirSync(folder), [])
  })

  test('of a link to a data directory empties the directory, and keeps both', async () => {
    await using user = new ProaUser()
    const [folder, link] = [user.dataDirectory('data'), user.path('link')]
    assert.equal((await user.up(folder)).code, 0)
    symlinkSync(folder, link)
    assert.equal((await user.proa('reset', '--yes', '--data-dir', link)).code, 0)
    assert.deepEqual(readdirSync(link), [])
    assert.equal((await user.up(link)).code, 0)
    assert.equal((await user.proa('down', '--data-dir', link)).code, 0)
  })

  test('follows no link out of the data directory', async () => {
    await using user = new ProaUser()
    const [folder, elsewhere] = [user.dataDirectory('data'), user.path('elsewhere')]
    assert.equal((await user.up(folder)).code, 0)
    const precious = [join(elsewhere, 'vm/pods/1/a'), join(elsewhere, 'data.mdb'), join(elsewhere, '10.0.0.1')]
    write(...precious)
    await user.proa('down', '--data-dir', folder)
    renameSync(join(folder, 'store'), user.path('moved'))
    for (const name of ['nodes', 'store', 'addresses']) symlinkSync(elsewhere, join(folder, name))
    assert.equal((await user.proa('reset', '--yes', '--data-dir', folder)).code, 0)
    for (const path of precious) assert.equal(readFileSync(path, 'utf8'), 'precious')
    assert.deepEqual(readdirSync(folder).sort(), ['addresses', 'nodes', 'store'])
    rmSync(folder, { recursive: true })
  })

  test('deletes what a first start left that was killed at any moment', async () => {
    await using user = new ProaUser()
    for (const moment of [markerFile, 'running.json', 'pki', 'store', 'admin.kubeconfig']) {
      const folder = user.dataDirectory(`killed-${moment}`)
      const child = user.spawnUp(folder)
      while (!existsSync(join(folder, moment))) await new Promise((resolve) => setTimeout(resolve, 1))
      child.kill('SIGKILL')
      await once(child, 'exit')
      assert.deepEqual(await user.proa('reset', '--yes', '--data-dir', folder), {
        code: 0,
        out: 'Deleted the cluster proa.\n',
        err: '',
      })
      assert.equal(existsSync(folder), false)
    }
  })

  test('waits for nobody who has the directory: it refuses', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    await user.up(folder)
    await user.proa('down', '--data-dir', folder)
    const before = readdirSync(folder)
    // As a process that has just begun to start the cluster.
    const hold = (await FolderHold.take(folder, 'data'))!
    for (const args of [
      ['reset', '--yes'],
      ['up', '--runtime', 'none'],
    ]) {
      const { code, err } = await user.proa(...args, '--data-dir', folder)
      assert.equal(code, 1)
      assert.ok(err.includes(`${folder} is in use by another proa, which starts or deletes the cluster`), err)
    }
    assert.deepEqual(readdirSync(folder), before)
    await hold.release()
    assert.equal((await user.proa('reset', '--yes', '--data-dir', folder)).code, 0)
  })

  test('deletes nothing while something is mounted in the directory', {
    skip: !canMount && 'mounting needs root',
  }, async () => {
    await using user = new ProaUser()
    const [folder, elsewhere] = [user.dataDirectory('data'), user.path('elsewhere')]
    await user.up(folder)
    const point = join(folder, 'nodes/vm/logs')
    write(join(elsewhere, 'file'))
    mkdirSync(point, { recursive: true })
    execFileSync('mount', ['--bind', elsewhere, point])
    try {
      const { code, err } = await user.proa('reset', '--yes', '--data-dir', folder)
      assert.equal(code, 1)
      assert.equal(
        err,
        `proa reset: nothing was deleted, because something is mounted on ${point}; unmount it and try again\n`,
      )
      assert.ok(existsSync(join(folder, 'pki/ca.key')))
    } finally {
      execFileSync('umount', [point])
    }
    assert.equal((await user.proa('reset', '--yes', '--data-dir', folder)).code, 0)
    assert.equal(readFileSync(join(elsewhere, 'file'), 'utf8'), 'precious')
  })

  test('deletes a directory of an older version, which has no marker', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    await user.up(folder)
    await user.proa('down', '--data-dir', folder)
    for (const name of [markerFile, 'last-up.json']) rmSync(join(folder, name))
    write(join(folder, 'notes.txt'))
    const refused = await user.proa('reset', '--yes', '--data-dir', folder)
    assert.equal(refused.code, 1)
    assert.match(refused.err, /an older version of Proa may have made .*, but not .*\/notes\.txt: move that away/)
    rmSync(join(folder, 'notes.txt'))
    assert.equal((await user.proa('reset', '--yes', '--data-dir', folder)).out, 'Deleted the cluster proa.\n')
    assert.equal(existsSync(folder), false)
  })
})
