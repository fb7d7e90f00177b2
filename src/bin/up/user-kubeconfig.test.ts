import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parse, stringify } from 'yaml'
import { kubeconfigOf } from '../../apiserver/serving/credentials/server-credentials.js'
import { environment } from '../../base/environment.js'
import { issue } from '../../wire/x509/certificate.js'
import { ProaUser } from './proa-user.test.kit.js'
import { addContext, type ContextOptions, rejectForeignContext, removeContext } from './user-kubeconfig.js'

const notAfter = Date.now() + 3_600_000
const authority = issue({ commonName: 'kubernetes', use: 'authority', notAfter }, environment())
const credential = issue({ commonName: 'kubernetes-admin', use: 'client', notAfter }, environment(), authority)
const admin = kubeconfigOf({ server: 'https://127.0.0.1:1', authority: authority.cert, user: 'admin', credential })

interface Trial extends ContextOptions {
  readonly from: string
  readonly to: string
}

function trial(context: TestContext): Trial {
  const folder = mkdtempSync(join(tmpdir(), 'proa-kubeconfig-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [from, to] = [join(folder, 'admin.kubeconfig'), join(folder, 'config')]
  writeFileSync(from, admin)
  return { cluster: { name: 'trial', dataDirectory: folder }, authorities: [authority.cert], from, to }
}

const work = {
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'work', cluster: { server: 'https://work.example' } }],
  users: [{ name: 'me', user: { token: 'secret' } }],
  contexts: [{ name: 'work', context: { cluster: 'work', user: 'me' } }],
  'current-context': 'work',
}
const config = ({ to }: Trial) => parse(readFileSync(to, 'utf8'))
const names = (stanzas: readonly { readonly name: string }[] | null) => (stanzas ?? []).map(({ name }) => name)

describe('the context of a cluster', () => {
  test('is added beside what is there, and taken out again', async (context) => {
    const given = trial(context)
    writeFileSync(given.to, stringify(work))
    assert.equal(await addContext(given), given.to)
    assert.deepEqual(names(config(given).contexts), ['trial', 'work'])
    assert.equal(config(given)['current-context'], 'trial')
    await addContext(given)
    await removeContext(given)
    const { clusters, users, contexts } = config(given)
    assert.deepEqual(
      { clusters, users, contexts },
      { clusters: work.clusters, users: work.users, contexts: work.contexts },
    )
    assert.equal(config(given)['current-context'], '')
  })

  const taken: Readonly<Record<string, object>> = {
    cluster: { clusters: [{ name: 'trial', cluster: { server: 'https://work.example' } }] },
    user: { users: [{ name: 'trial', user: { token: 'secret' } }] },
    context: { contexts: [{ name: 'trial', context: { cluster: 'work', user: 'me' } }] },
  }
  for (const [kind, stanza] of Object.entries(taken))
    test(`does not replace a ${kind} of that name that Proa did not write, nor is that removed`, async (context) => {
      const given = trial(context)
      const before = stringify({ ...work, ...stanza })
      writeFileSync(given.to, before)
      const message = `${given.to} already has a ${kind} named trial that Proa did not write; choose another --name, or another file with --kubeconfig`
      await assert.rejects(rejectForeignContext(given), { message })
      await assert.rejects(addContext(given), { message })
      await removeContext(given)
      assert.equal(readFileSync(given.to, 'utf8'), before)
    })

  test('replaces that of an older version, which left no mark, and of an earlier cluster of Proa', async (context) => {
    const given = trial(context)
    const { clusters, users } = parse(admin)
    const older = {
      ...work,
      clusters: [{ ...clusters[0], name: 'trial' }],
      users: [{ ...users[0], name: 'trial' }],
      contexts: [{ name: 'trial', context: { cluster: 'trial', user: 'trial' } }],
    }
    writeFileSync(given.to, stringify(older))
    await addContext(given)
    const unknown = { ...given, authorities: [] }
    await rejectForeignContext(unknown)
    await addContext(unknown)
    writeFileSync(given.to, stringify(older))
    await removeContext(given)
    assert.deepEqual(names(config(given).clusters), [])
    assert.deepEqual(names(config(given).users), [])
  })

  test('stays where another cluster of that name wrote it', async (context) => {
    const given = trial(context)
    await addContext(given)
    await removeContext({ ...given, authorities: [], cluster: { name: 'trial', dataDirectory: '/elsewhere' } })
    assert.deepEqual(names(config(given).contexts), ['trial'])
  })

  test('is taken out of nothing where the file is gone', async (context) => {
    const given = trial(context)
    await removeContext(given)
    assert.equal(existsSync(given.to), false)
  })
})

test('up refuses a name that the kubeconfig has already, before it makes anything', async () => {
  await using user = new ProaUser()
  const [folder, file] = [user.path('data'), user.path('config')]
  writeFileSync(file, stringify(work))
  const { code, err } = await user.up(folder, '--name', 'work', '--kubeconfig', file)
  assert.equal(code, 1)
  assert.match(
    err,
    /^proa up: .*config already has a cluster named work that Proa did not write; choose another --name/,
  )
  assert.equal(existsSync(folder), false)
  assert.equal(readFileSync(file, 'utf8'), stringify(work))
})
