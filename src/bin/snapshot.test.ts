import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openEmbeddedStore, storeDirectory } from '../storage/embedded/embedded-store.js'
import { snapshotCommand } from './snapshot.js'

// This file is also the command, as the main program would call it.
if (process.argv[2] === 'snapshot') process.exitCode = await snapshotCommand(process.argv.slice(3))
else describe('proa snapshot', registerTests)

function registerTests(): void {
  test('saves, describes and restores', async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-snapshot-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const data = join(folder, 'data')
    const store = await openEmbeddedStore({ directory: storeDirectory(data) })
    await store.transact({ changes: [{ type: 'put', key: 'a', value: Buffer.from('1') }] })
    const file = join(folder, 'file')
    const save = command('save', file, '--data-dir', data)
    assert.equal(save.stderr, '')
    assert.match(
      save.stdout,
      /^snapshot saved to .*\nREVISION +KEYS +LEASES +SIZE +HASH\n2 +1 +0 +\d+ B +[0-9a-f]{16}\n$/,
    )
    await store.close()
    const status = command('status', file)
    assert.equal(save.stdout, `snapshot saved to ${file}\n${status.stdout}`)
    const other = join(folder, 'other')
    assert.equal(command('restore', file, `--data-dir=${other}`).status, 0)
    const restored = await openEmbeddedStore({ directory: storeDirectory(other) })
    assert.equal((await restored.get('a')).entry?.modRevision, 2)
    await restored.close()
    const twice = command('restore', file, '--data-dir', other)
    assert.equal(twice.status, 1)
    assert.match(twice.stderr, /^error: .* is not empty/)
  })

  test('finds the data directory by PROA_DATA_DIR, as every command does', () => {
    const { stderr } = commandWith({ PROA_DATA_DIR: '/does/not/exist' }, 'save', 'file')
    assert.equal(stderr, 'error: there is no store in /does/not/exist/store\n')
  })

  test("restores nothing into a directory with somebody else's files", async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'proa-snapshot-'))
    context.after(() => rmSync(folder, { recursive: true }))
    const [data, file] = [join(folder, 'data'), join(folder, 'file')]
    await (await openEmbeddedStore({ directory: storeDirectory(data) })).close()
    assert.equal(command('save', file, '--data-dir', data).status, 0)
    const { status, stderr } = command('restore', file, '--data-dir', folder)
    assert.equal(status, 1)
    assert.match(stderr, /^error: .* is not a data directory of Proa: it has data, file, and no proa-cluster\.json/)
    assert.deepEqual(readdirSync(folder).sort(), ['data', 'file'])
  })

  test('says what is wrong', () => {
    assert.match(command().stderr, /save, restore or status/)
    assert.match(command('status').stderr, /takes one FILE/)
    assert.match(command('destroy', 'file').stderr, /unknown command destroy/)
    assert.match(command('status', '/does/not/exist').stderr, /^error: ENOENT/)
    assert.match(command('save', 'file', '--data-dir', '/does/not/exist').stderr, /^error: there is no store in/)
    assert.match(command('status', 'file', '--wrong').stderr, /--wrong/)
    assert.equal(command('--help').status, 0)
    for (const args of [[], ['status'], ['status', '/does/not/exist']]) assert.equal(command(...args).status, 1)
  })
}

function command(...args: string[]) {
  return commandWith({}, ...args)
}

function commandWith(variables: NodeJS.ProcessEnv, ...args: string[]) {
  const env = { ...process.env, ...variables }
  return spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'snapshot', ...args], { encoding: 'utf8', env })
}
