import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, test } from 'node:test'
import { removeRecord, writeRecord } from '../cluster/record.js'
import { lightly, ProaUser } from './proa-user.test.kit.js'

describe('proa list', () => {
  /** Without those in the usual directories, which tests have no part in. */
  const rows = async (user: ProaUser, command = 'list') => {
    const { code, out, err } = await user.proa(command)
    assert.deepEqual({ code, err }, { code: 0, err: '' })
    return out.split('\n').filter((line) => line.includes(user.home))
  }

  test('shows clusters wherever their data is: running, stopped, and no more when they are gone', async () => {
    await using user = new ProaUser()
    const [one, other] = [user.dataDirectory('one'), user.dataDirectory('other')]
    assert.deepEqual(await rows(user), [])
    await user.up(one, '--name', 'one')
    await user.up(other, '--name', 'other')
    await user.proa('down', '--data-dir', other)
    const shown = await rows(user)
    assert.match(shown[0] ?? '', /^one +running +https:\/\/127\.0\.0\.1:\d+ +\S.*\/one$/)
    assert.match(shown[1] ?? '', /^other +stopped +- +\S.*\/other$/)
    assert.equal(shown.length, 2)
    assert.deepEqual(await rows(user, 'clusters'), shown)

    await user.proa('reset', '--yes', '--data-dir', one)
    rmSync(other, { recursive: true })
    assert.deepEqual(await rows(user), [])
  })

  test('shows a cluster as starting, before it serves', async () => {
    await using user = new ProaUser()
    const folder = user.dataDirectory('data')
    await user.up(folder)
    await user.proa('down', '--data-dir', folder)
    writeRecord(folder, { nodes: [] }) // of this process, as if it were the cluster's
    assert.match((await rows(user))[0] ?? '', /^proa +starting +- /)
    const { out } = await user.proa('status', '--data-dir', folder)
    assert.match(out, /control plane +still starting, process \d+;/)
    removeRecord(folder)
  })

  test('finds clusters in the usual directories', {
    skip: process.getuid?.() === 0 && 'those of root are not for tests',
  }, async () => {
    await using user = new ProaUser()
    await user.proa('up', '--name', 'trial', '--detach', ...lightly)
    assert.match((await rows(user))[0] ?? '', /^trial +running .*\/\.local\/share\/proa-trial$/)
    assert.equal((await user.proa('reset', '--name', 'trial', '--yes')).out, 'Deleted the cluster trial.\n')
    assert.deepEqual(await rows(user), [])
  })

  test('says what to do where there is none, or lists others', async () => {
    await using user = new ProaUser()
    const { code, out } = await user.proa('list')
    assert.equal(code, 0)
    assert.match(
      out,
      /^(NAME +STATE +URL +DATA DIRECTORY\n|No cluster was found on this machine\.\n {2}start one: .* up\n$)/,
    )
  })
})
