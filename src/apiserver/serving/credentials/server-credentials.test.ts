import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { environment } from '../../../base/environment.js'
import { VirtualClock } from '../../../base/virtual-clock.js'
import { programMissing } from '../../../testing/processes/programs.js'
import { createClientCertificate, testAuthority, testServerCertificate } from '../../../testing/servers/https-server.js'
import type { TlsFiles } from '../../options.js'
import type { ListeningServer, ServerTlsOptions } from '../server.js'
import { serve } from '../tls-server.js'
import { kubeconfigPath, prepareServerCredentials, renewServerCredentials, urlOf } from './server-credentials.js'

const run = promisify(execFile)

function optionsIn(context: TestContext, tls: TlsFiles = {}) {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'proa-security-'))
  context.after(() => rmSync(dataDirectory, { recursive: true }))
  const services = { clusterIpRanges: ['10.96.0.0/16'], nodePorts: { first: 30_000, last: 32_767 } }
  const serviceAccounts = { issuers: [], audiences: [], keyFiles: [] }
  const authentication = { anonymous: true }
  return { dataDirectory, bindAddress: '127.0.0.1', tls, authentication, services, serviceAccounts }
}

/** Only what a server is asked here. */
function fakeServer(): ListeningServer & { readonly seen: ServerTlsOptions[] } {
  const seen: ServerTlsOptions[] = []
  const close = async () => {}
  return {
    seen,
    port: 7777,
    address: '',
    connections: 0,
    setTls: (tls) => void seen.push(tls),
    close,
    [Symbol.asyncDispose]: close,
  }
}

describe('what a server shows to its clients', () => {
  test('is made for it, and a kubeconfig with it', (context) => {
    const options = optionsIn(context)
    const security = prepareServerCredentials(options, environment())
    const { stop } = renewServerCredentials(security, fakeServer(), options, environment())
    context.after(stop)
    const path = kubeconfigPath(security, options)!
    assert.equal(statSync(path).mode & 0o777, 0o600)
    const kubeconfig = readFileSync(path, 'utf8')
    assert.match(kubeconfig, /server: https:\/\/127.0.0.1:7777\n/)
    assert.match(
      kubeconfig,
      new RegExp(`certificate-authority-data: ${Buffer.from(security.authority).toString('base64')}\n`),
    )
    assert.equal(security.tls.clientCa, security.authority)
  })

  test('comes from files where they are named', (context) => {
    const files = optionsIn(context).dataDirectory
    const write = (name: string, content: string) => {
      writeFileSync(join(files, name), content)
      return join(files, name)
    }
    const certFile = write('tls.crt', testServerCertificate.cert)
    const keyFile = write('tls.key', testServerCertificate.key)
    const clientCaFile = write('clients.crt', testAuthority.cert)
    const security = prepareServerCredentials(optionsIn(context, { certFile, keyFile, clientCaFile }), environment())
    assert.deepEqual(security.tls, { ...testServerCertificate, clientCa: testAuthority.cert })
    assert.deepEqual(security.clients, [])
    const other = write('other.key', createClientCertificate(testAuthority).key)
    const prepare = (tls: TlsFiles) => () => prepareServerCredentials(optionsIn(context, tls), environment())
    assert.throws(prepare({ certFile, keyFile: other }), /other.key is not the key of .*tls.crt; name two files/)
    assert.throws(prepare({ certFile: keyFile, keyFile }), /there is no certificate in .*tls.key/)
    assert.throws(prepare({ clientCaFile: write('empty', '') }), /there is no certificate in .*empty/)
    assert.throws(prepare({ clientCaFile: join(files, 'nothing') }), { code: 'ENOENT' })
  })

  test('is renewed while the server runs', async (context) => {
    const options = optionsIn(context)
    const clock = new VirtualClock()
    const testEnvironment = environment({ clock })
    const security = prepareServerCredentials(options, testEnvironment)
    const server = fakeServer()
    const { stop } = renewServerCredentials(security, server, options, testEnvironment)
    const path = kubeconfigPath(security, options)!
    const before = readFileSync(path, 'utf8')
    await clock.advance('2m')
    assert.equal(server.seen.length, 0)
    rmSync(join(options.dataDirectory, 'pki', 'apiserver.crt')) // as if its end had come
    await clock.advance('2m')
    assert.equal(server.seen.length, 1)
    assert.notEqual(server.seen[0]!.cert, security.tls.cert)
    assert.equal(readFileSync(path, 'utf8'), before)
    rmSync(join(options.dataDirectory, 'pki', 'admin.crt'))
    await clock.advance('2m')
    assert.notEqual(readFileSync(path, 'utf8'), before)
    stop()
    assert.equal(clock.pending, 0)
  })

  test('outlives a moment in which it cannot be read', async (context) => {
    const options = optionsIn(context)
    const clock = new VirtualClock()
    const testEnvironment = environment({ clock })
    const server = fakeServer()
    const { stop } = renewServerCredentials(
      prepareServerCredentials(options, testEnvironment),
      server,
      options,
      testEnvironment,
    )
    const ca = join(options.dataDirectory, 'pki', 'ca.crt')
    const content = readFileSync(ca)
    writeFileSync(ca, 'nonsense')
    await clock.advance('2m')
    writeFileSync(ca, content)
    await clock.advance('2m')
    assert.equal(server.seen.length, 0)
    stop()
  })

  test('is accepted by other clients', { skip: programMissing('curl') }, async (context) => {
    const options = optionsIn(context)
    const { tls } = prepareServerCredentials(options, environment())
    const server = await serve({
      handle: (request, respond) => respond.whole(200, [], Buffer.from(request.peer.certificate ? 'known' : 'unknown')),
      ...{ tls, port: 0, address: '127.0.0.1', environment: environment() },
    })
    context.after(() => server.close(0))
    const file = (name: string) => join(options.dataDirectory, 'pki', name)
    const trust = ['--silent', '--show-error', '--cacert', file('ca.crt')]
    const curl = (...args: string[]) => run('curl', [...trust, ...args, urlOf(server, options)])
    const admin = ['--cert', file('admin.crt'), '--key', file('admin.key')]
    assert.equal((await curl()).stdout, 'unknown')
    assert.equal((await curl(...admin, '--http1.1')).stdout, 'known')
    assert.equal((await curl(...admin, '--http2')).stdout, 'known')
  })
})
