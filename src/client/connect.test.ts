import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Namespace } from '../api/core/v1/namespace.js'
import { hasReason } from '../api/errors.js'
import { environment } from '../base/environment.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { startTestApiServer, type TestApiServer } from '../testing/api-server.js'
import { parseYaml } from '../wire/yaml.js'
import { Client } from './client.js'
import { connect } from './connect.js'
import { connected, nameOf, scratchFolder, userOf } from './connect.test.kit.js'
import { failure } from './kubeconfig/kubeconfig.test.kit.js'
import { resolveConnection } from './kubeconfig/resolve.js'
import { thisMachine } from './machine.js'

let server: TestApiServer
before(async () => {
  const passwords = scratchFolder({ after })
  const basicAuthFile = join(passwords, 'passwords.csv')
  writeFileSync(basicAuthFile, 'password-of-john,john,8\n')
  const tokens = ['first,jane,1', 'second,jill,2']
  server = await startTestApiServer({ tokens })
})
after(() => server.close())

describe('a kubeconfig gets its user in', () => {
  test('by a client certificate', async (context) => {
    const connection = await resolveConnection(thisMachine(), { kubeconfig: server.kubeconfig })
    const client = new Client(await connect(connection))
    context.after(() => client.close())
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('by a client certificate in files', async (context) => {
    const { value } = await parseYaml(readFileSync(server.kubeconfig, 'utf8'))
    const [{ user }] = (value as { users: [{ user: Record<string, string> }] }).users
    const folder = scratchFolder(context)
    for (const name of ['client-certificate', 'client-key'])
      writeFileSync(join(folder, name), Buffer.from(user[`${name}-data`]!, 'base64'))
    const files = { 'client-certificate': join(folder, 'client-certificate'), 'client-key': join(folder, 'client-key') }
    const { client } = await connected(context, server, { user: files })
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('by a token', async (context) => {
    const { client } = await connected(context, server, { user: { token: 'first' } })
    assert.equal(await nameOf(client), 'jane')
  })

  test('by a flag', async (context) => {
    const { client } = await connected(context, server, { user: { token: 'first' }, flags: { token: 'second' } })
    assert.equal(await nameOf(client), 'jill')
  })
})

describe('a token file', () => {
  test('is read again after a while', async (context) => {
    const clock = new VirtualClock()
    const file = join(scratchFolder(context), 'token')
    writeFileSync(file, 'first\n')
    const { client } = await connected(context, server, {
      user: { tokenFile: file },
      environment: environment({ clock }),
    })
    assert.equal(await nameOf(client), 'jane')
    writeFileSync(file, 'second\n')
    assert.equal(await nameOf(client), 'jane', 'not with every request')
    await clock.advance('1m')
    assert.equal(await nameOf(client), 'jill')
    writeFileSync(file, '')
    await clock.advance('1m')
    assert.equal(await nameOf(client), 'jill', 'while there is none, the last one goes on')
  })

  test('is read again at once when the server does not take the token', async (context) => {
    const file = join(scratchFolder(context), 'token')
    writeFileSync(file, 'expired')
    const { client } = await connected(context, server, { user: { tokenFile: file } })
    const error = await nameOf(client).then(assert.fail, (thrown: unknown) => thrown)
    assert.ok(hasReason(error, 'Unauthorized'), String(error))
    writeFileSync(file, 'second')
    assert.equal(await nameOf(client), 'jill')
  })

  test('that is not there is named', async (context) => {
    const { client } = await connected(context, server, { user: { tokenFile: '/nope' } })
    assert.equal(
      await failure(() => nameOf(client)),
      'failed to read token file "/nope": open /nope: no such file or directory',
    )
  })

  test('goes before a token, as long as it can be read', async (context) => {
    const file = join(scratchFolder(context), 'token')
    const { client } = await connected(context, server, { user: { tokenFile: file, token: 'first' } })
    assert.equal(await nameOf(client), 'jane')
    writeFileSync(file, 'second')
    const { client: other } = await connected(context, server, { user: { tokenFile: file, token: 'first' } })
    assert.equal(await nameOf(other), 'jill')
  })
})

describe('a plugin', () => {
  const version = 'client.authentication.k8s.io/v1'
  const answer = (status: object) => JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status })

  /** A plugin that counts its runs in a file and prints what it is told. */
  const plugin = (folder: string, body: string) => {
    const path = join(folder, 'plugin.sh')
    writeFileSync(path, `#!/bin/sh\necho run >> ${folder}/runs\n${body}\n`)
    chmodSync(path, 0o755)
    return { apiVersion: version, command: path, interactiveMode: 'Never' }
  }
  const runs = (folder: string) => readFileSync(join(folder, 'runs'), 'utf8').split('\n').length - 1

  test('gives a token, which is kept until it expires', async (context) => {
    const clock = new VirtualClock()
    const folder = scratchFolder(context)
    const expirationTimestamp = new Date(clock.now() + 600_000).toISOString()
    const exec = plugin(folder, `echo '${answer({ token: 'first', expirationTimestamp })}'`)
    const { client } = await connected(context, server, { user: { exec }, environment: environment({ clock }) })
    await Promise.all([nameOf(client), nameOf(client), nameOf(client)])
    assert.equal(await nameOf(client), 'jane')
    assert.equal(runs(folder), 1)
    await clock.advance('11m')
    assert.equal(await nameOf(client), 'jane')
    assert.equal(runs(folder), 2)
  })

  test('is asked again when the server does not take the token, and the request is repeated', async (context) => {
    const folder = scratchFolder(context)
    const [old, fresh] = [answer({ token: 'expired' }), answer({ token: 'second' })]
    const exec = plugin(folder, `if [ $(wc -l < ${folder}/runs) -eq 1 ]; then echo '${old}'; else echo '${fresh}'; fi`)
    const { client } = await connected(context, server, { user: { exec } })
    assert.equal(await nameOf(client), 'jill')
    assert.equal(runs(folder), 2)
  })

  test('gives a certificate', async (context) => {
    const { value } = await parseYaml(readFileSync(server.kubeconfig, 'utf8'))
    const [{ user }] = (value as { users: [{ user: Record<string, string> }] }).users
    const pem = (name: string) => Buffer.from(user[name]!, 'base64').toString()
    const folder = scratchFolder(context)
    const status = { clientCertificateData: pem('client-certificate-data'), clientKeyData: pem('client-key-data') }
    writeFileSync(join(folder, 'answer'), answer(status))
    const { client } = await connected(context, server, { user: { exec: plugin(folder, `cat ${folder}/answer`) } })
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('is told what it may want to know', async (context) => {
    const folder = scratchFolder(context)
    const body = `printf '%s %s %s' "$EXTRA" "$1" "$KUBERNETES_EXEC_INFO" > ${folder}/told; echo '${answer({ token: 'first' })}'`
    const exec = {
      ...plugin(folder, body),
      args: ['argument'],
      env: [{ name: 'EXTRA', value: 'extra' }],
      provideClusterInfo: true,
    }
    const extensions = [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'x' } }]
    const { client } = await connected(context, server, { user: { exec }, cluster: { extensions } })
    await nameOf(client)
    const [extra, argument, ...info] = readFileSync(join(folder, 'told'), 'utf8').split(' ')
    assert.deepEqual([extra, argument], ['extra', 'argument'])
    const authority = Buffer.from(server.authority).toString('base64')
    const cluster = { server: server.url, 'certificate-authority-data': authority, config: { audience: 'x' } }
    assert.deepEqual(JSON.parse(info.join(' ')), {
      kind: 'ExecCredential',
      apiVersion: version,
      spec: { cluster, interactive: false },
    })
  })

  test('that hangs is stopped with the request', async (context) => {
    const folder = scratchFolder(context)
    const exec = plugin(folder, `echo $$ > ${folder}/pid; exec sleep 600`)
    const { client } = await connected(context, server, { user: { exec } })
    const stopping = new AbortController()
    const asked = client.resource(Namespace).list({ signal: stopping.signal })
    while (!exists(join(folder, 'pid'))) await new Promise((resolve) => setTimeout(resolve, 5))
    const reason = new Error('enough')
    stopping.abort(reason)
    await assert.rejects(asked, reason)
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  test('is not asked where there is a token', async (context) => {
    const folder = scratchFolder(context)
    const exec = plugin(folder, 'exit 1')
    const { client } = await connected(context, server, { user: { exec }, flags: { token: 'second' } })
    assert.equal(await nameOf(client), 'jill')
  })

  const failures: Readonly<Record<string, readonly [string, string]>> = {
    'that fails': ['exit 3', 'getting credentials: exec: executable COMMAND failed with exit code 3'],
    'that speaks of something else': [
      'echo secret-token',
      "getting credentials: decoding stdout: couldn't get version/kind; json parse error",
    ],
    'of another version': [
      `echo '{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"secret-token"}}'`,
      `getting credentials: exec plugin is configured to use API version ${version}, plugin returned version client.authentication.k8s.io/v1beta1`,
    ],
    'that gives nothing': [
      `echo '${answer({})}'`,
      "getting credentials: exec plugin didn't return a token or cert/key pair",
    ],
    'that gives half a pair': [
      `echo '${answer({ clientKeyData: 'secret-token' })}'`,
      'getting credentials: exec plugin returned only certificate or key, not both',
    ],
    'that talks without end': ['yes secret-token', 'getting credentials: exec: it said more than 1048576 bytes'],
  }
  for (const [name, [body, message]] of Object.entries(failures))
    test(name, async (context) => {
      const exec = plugin(scratchFolder(context), body)
      const { client } = await connected(context, server, { user: { exec } })
      assert.equal(await failure(() => nameOf(client)), message.replace('COMMAND', exec.command))
    })

  test('that is not installed comes with a hint, which does nothing to the terminal', async (context) => {
    const exec = { apiVersion: version, command: 'nope', interactiveMode: 'Never', installHint: 'get \u001b[1mit' }
    const { client } = await connected(context, server, { user: { exec } })
    const message = await failure(() => nameOf(client))
    assert.match(message, /^getting credentials: exec: executable nope not found\n\nIt looks like/)
    assert.match(message, /\n\nget U\+001B\[1mit$/)
  })

  test('that must talk to somebody does not run where nobody is', async (context) => {
    const exec = { apiVersion: version, command: 'nope', interactiveMode: 'Always' }
    const { client } = await connected(context, server, { user: { exec } })
    assert.equal(
      await failure(() => nameOf(client)),
      'getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal',
    )
  })

  test('of a version that nobody knows any more is refused', async (context) => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'nope' }
    assert.equal(
      await failure(() => connected(context, server, { user: { exec } })),
      'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
    )
  })
})

test('somebody who may acts as somebody else', async (context) => {
  const flags = {
    as: 'joe',
    'as-uid': '7',
    'as-group': ['a', 'b'],
    'as-user-extra': { 'example.org/Team': ['x', 'y'] },
  }
  const { client } = await connected(context, server, { user: { token: server.token }, flags })
  const { username, uid, groups, extra } = (await userOf(client)) ?? {}
  assert.deepEqual([username, uid, groups], ['joe', '7', ['a', 'b', 'system:authenticated']])
  assert.deepEqual(extra, { 'example.org/team': ['x', 'y'] })
})

describe('a server', () => {
  test('is known by another name where the kubeconfig says so', async (context) => {
    const right = await connected(context, server, {
      user: { token: 'first' },
      cluster: { 'tls-server-name': 'kubernetes' },
    })
    assert.equal(await nameOf(right.client), 'jane')
    const wrong = await connected(context, server, {
      user: { token: 'first' },
      cluster: { 'tls-server-name': 'other' },
    })
    assert.match(await failure(() => nameOf(wrong.client)), /altnames/)
  })

  test('of which nothing is known is not trusted, unless somebody wants that', async (context) => {
    const unknown = { 'certificate-authority-data': '' }
    const careful = await connected(context, server, { user: { token: 'first' }, cluster: unknown })
    assert.match(await failure(() => nameOf(careful.client)), /self-signed|unable to get local issuer|unable to verify/)
    const cluster = { ...unknown, 'insecure-skip-tls-verify': true }
    const careless = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(careless.client), 'jane')
  })

  test('cannot be known and not known at the same time', async (context) => {
    assert.equal(
      await failure(() => connected(context, server, { cluster: { 'insecure-skip-tls-verify': true } })),
      'specifying a root certificates file with the insecure flag is not allowed',
    )
    assert.equal(
      await failure(() => connected(context, server, { cluster: { 'certificate-authority-data': 'YQ==' } })),
      'unable to load root certificates: unable to parse bytes as PEM block',
    )
  })
})

describe('providers of other times', () => {
  for (const [name, message] of [
    ['gcp', /^The gcp auth plugin has been removed\.\nPlease use the "gke-gcloud-auth-plugin"/],
    ['azure', /^The azure auth plugin has been removed\./],
    ['other', /^no Auth Provider found for name "other"$/],
  ] as const)
    test(name, async (context) => {
      assert.match(await failure(() => connected(context, server, { user: { 'auth-provider': { name } } })), message)
    })
})

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined && readFileSync(path, 'utf8') !== ''
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
