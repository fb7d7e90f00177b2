import assert from 'node:assert/strict'
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Namespace } from '../../api/core/v1/namespace.js'
import { environment } from '../../base/environment.js'
import { formatLogRecord, logger } from '../../base/logging.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { parseYaml } from '../../wire/yaml.js'
import { connected, nameOf, scratchFolder, userOf } from '../connect.test.kit.js'
import { failure } from '../kubeconfig/kubeconfig.test.kit.js'

let server: TestApiServer
before(async () => {
  server = await startTestApiServer({ tokens: ['first,jane,1', 'second,jill,2'] })
})
after(() => server.close())

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

  test('returns a token, which is cached until it expires', async (context) => {
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

  test('is called again if the server rejects the token, and the request is repeated', async (context) => {
    const folder = scratchFolder(context)
    const [old, fresh] = [answer({ token: 'expired' }), answer({ token: 'second' })]
    const exec = plugin(folder, `if [ $(wc -l < ${folder}/runs) -eq 1 ]; then echo '${old}'; else echo '${fresh}'; fi`)
    const { client } = await connected(context, server, { user: { exec } })
    assert.equal(await nameOf(client), 'jill')
    assert.equal(runs(folder), 2)
  })

  test('returns a certificate', async (context) => {
    const { value } = await parseYaml(readFileSync(server.kubeconfig, 'utf8'))
    const [{ user }] = (value as { users: [{ user: Record<string, string> }] }).users
    const pem = (name: string) => Buffer.from(user[name]!, 'base64').toString()
    const folder = scratchFolder(context)
    const status = { clientCertificateData: pem('client-certificate-data'), clientKeyData: pem('client-key-data') }
    writeFileSync(join(folder, 'answer'), answer(status))
    const { client } = await connected(context, server, { user: { exec: plugin(folder, `cat ${folder}/answer`) } })
    assert.ok(((await userOf(client))?.groups ?? []).includes('system:masters'))
  })

  test('gets information about the cluster', async (context) => {
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

  test('is not called if there is a token', async (context) => {
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
    'that talks without end': [
      'yes secret-token 2> /dev/null',
      'getting credentials: exec: its output is longer than 1048576 bytes',
    ],
  }
  for (const [name, [body, message]] of Object.entries(failures))
    test(name, async (context) => {
      const exec = plugin(scratchFolder(context), body)
      const { client } = await connected(context, server, { user: { exec } })
      assert.equal(await failure(() => nameOf(client)), message.replace('COMMAND', exec.command))
    })

  test('that cannot renew a rejected credential is logged, without a secret in the log or the error', async (context) => {
    const lines: string[] = []
    const log = logger({ now: () => 0, write: (record) => lines.push(formatLogRecord(record)) })
    const folder = scratchFolder(context)
    const first = answer({ token: 'secret-token' })
    const body = `if [ $(wc -l < ${folder}/runs) -eq 1 ]; then echo '${first}'; else echo '{"status": secret-token'; fi`
    const parts = { user: { exec: plugin(folder, body) }, environment: environment({ log }) }
    const { client } = await connected(context, server, parts)
    assert.equal(await failure(() => nameOf(client)), 'Unauthorized')
    assert.equal(lines.length, 1)
    assert.match(lines[0]!, /credential refresh failed.*decoding stdout/)
    assert.doesNotMatch(lines[0]!, /secret-token/)
  })

  test('that is not installed gives a hint, without control characters', async (context) => {
    const exec = { apiVersion: version, command: 'nope', interactiveMode: 'Never', installHint: 'get \u001b[1mit' }
    const { client } = await connected(context, server, { user: { exec } })
    const message = await failure(() => nameOf(client))
    assert.match(message, /^getting credentials: exec: executable nope not found\n\nIt looks like/)
    assert.match(message, /\n\nget U\+001B\[1mit$/)
  })

  test('that is interactive does not run without a terminal', async (context) => {
    const exec = { apiVersion: version, command: 'nope', interactiveMode: 'Always' }
    const { client } = await connected(context, server, { user: { exec } })
    assert.equal(
      await failure(() => nameOf(client)),
      'getting credentials: exec plugin cannot support interactive mode: standard input is not a terminal',
    )
  })

  test('of an unknown version is rejected', async (context) => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'nope' }
    assert.equal(
      await failure(() => connected(context, server, { user: { exec } })),
      'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
    )
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
