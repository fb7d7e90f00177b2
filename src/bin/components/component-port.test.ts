import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { connect } from 'node:tls'
import { environment as realEnvironment } from '../../base/environment.js'
import { parseFlags, UsageError } from '../../base/flags/flags.js'
import { adminToken, startTestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { sendRaw } from '../../testing/servers/whoami.js'
import { issue } from '../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../wire/x509/issuer.js'
import { openComponentPort, portFlags } from './component-port.js'

const manager = { name: 'system:kube-controller-manager', uid: '', groups: ['system:authenticated'], extra: {} }

/** One that nobody listens at: to a component, 0 means nowhere. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** What a component shows, in files. */
function credentialFiles(context: TestContext, { cert, key }: X509KeyPair) {
  const folder = mkdtempSync(join(tmpdir(), 'proa-port-'))
  context.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'crt'), cert)
  writeFileSync(join(folder, 'key'), key)
  return [`--tls-cert-file=${join(folder, 'crt')}`, `--tls-private-key-file=${join(folder, 'key')}`]
}

/** A component beside a real API server, which it asks in its own name. */
async function begin(context: TestContext, isWell = true) {
  const api = await startTestApiServer({ tokens: ['robots-token,robot,7,"robots"'] })
  context.after(() => api.close())
  const { environment } = api
  const notAfter = environment.clock.now() + 3_600_000
  const pair = issue({ commonName: 'x', use: 'server', hosts: ['127.0.0.1'], notAfter }, environment)
  const args = ['--bind-address=127.0.0.1', ...credentialFiles(context, pair), `--secure-port=${await freePort()}`]
  const port = await openComponentPort({
    flags: parseFlags(portFlags(10_257), args),
    client: inProcessClient(api, { user: manager }),
    environment,
    checks: [{ name: 'mood', check: () => assert.ok(isWell) }],
  })
  context.after(() => port!.close(0))
  environment.metrics.counter({ name: 'deeds_total', help: 'x' }).inc(3)
  const server = { url: `https://127.0.0.1:${port!.port}`, authority: pair.cert }
  return (path: string, token?: string) =>
    sendRaw(server, { path, headers: token === undefined ? [] : ['Authorization', `Bearer ${token}`] })
}

describe('the port of a component', () => {
  test('tells everybody that it is well', async (context) => {
    const get = await begin(context)
    for (const path of ['/healthz', '/livez', '/readyz']) {
      const { status, text } = await get(path)
      assert.deepEqual([status, text], [200, 'ok'], path)
    }
    assert.match((await get('/healthz?verbose')).text, /\[\+\]mood ok\nhealthz check passed/)
  })

  test('tells everybody that it is not', async (context) => {
    const get = await begin(context, false)
    const { status, text } = await get('/healthz')
    assert.equal(status, 500)
    assert.match(text, /\[-\]mood failed: reason withheld/)
  })

  test('tells its numbers to those whom the API server lets see them', async (context) => {
    const get = await begin(context)
    const stranger = await get('/metrics')
    assert.equal(stranger.status, 403)
    assert.equal(JSON.parse(stranger.text).message, 'forbidden: User "system:anonymous" cannot get path "/metrics"')
    const robot = await get('/metrics', 'robots-token')
    assert.equal(JSON.parse(robot.text).message, 'forbidden: User "robot" cannot get path "/metrics"')
    const { status, text } = await get('/metrics', adminToken)
    assert.equal(status, 200)
    assert.match(text, /^deeds_total 3$/m)
  })

  test('knows nobody by a token that the API server does not know', async (context) => {
    const get = await begin(context)
    assert.equal((await get('/metrics', 'nonsense')).status, 401)
    assert.equal((await get('/healthz', 'nonsense')).status, 401)
  })

  test('has nothing else to tell', async (context) => {
    const get = await begin(context)
    assert.equal((await get('/api', adminToken)).status, 404)
    assert.equal((await get('/api')).status, 403)
  })

  test('is nowhere, or shows a certificate of its own making', async (context) => {
    const environment = realEnvironment()
    const parts = { client: undefined as never, environment, checks: [] }
    const flags = (...args: string[]) => parseFlags(portFlags(10_257), ['--bind-address=127.0.0.1', ...args])
    assert.equal(await openComponentPort({ ...parts, flags: flags('--secure-port=0') }), undefined)
    const port = await openComponentPort({ ...parts, flags: flags(`--secure-port=${await freePort()}`) })
    context.after(() => port!.close(0))
    const socket = connect({ host: '127.0.0.1', port: port!.port, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    assert.ok(socket.getPeerX509Certificate()?.checkIP('127.0.0.1'))
    socket.destroy()
    const half = flags('--tls-cert-file=x', `--secure-port=${await freePort()}`)
    await assert.rejects(openComponentPort({ ...parts, flags: half }), UsageError)
  })
})
