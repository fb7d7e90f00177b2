import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage, request as requestHttp, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect as connectTcp, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Namespace } from '../../api/core/v1/namespace.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { testAuthority, testServerCertificate } from '../../testing/servers/https-server.js'
import { connected, nameOf } from '../connect.test.kit.js'
import { failure } from '../kubeconfig/kubeconfig.test.kit.js'
import { proxyFromVariables } from './proxy-url.js'

let server: TestApiServer
before(async () => {
  server = await startTestApiServer({ tokens: ['first,jane,1'] })
})
after(() => server.close())

interface TestContext {
  after(run: () => void): void
}

interface Proxy {
  readonly port: number
  /** What it was asked for, and by whom. */
  readonly asked: readonly string[]
}

/** A proxy that everybody may use whom `admits` admits. */
async function startProxy(context: TestContext, isSecure: boolean, admits = (_: string) => true): Promise<Proxy> {
  const asked: string[] = []
  const proxy = isSecure ? createHttpsServer(testServerCertificate) : createHttpServer()
  const sockets = new Set<Socket>()
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, near: Socket) => {
    asked.push(`CONNECT ${url} ${headers['proxy-authorization'] ?? ''}`.trim())
    if (!admits(headers['proxy-authorization'] ?? ''))
      return near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const { hostname, port } = new URL(`tcp://${url}`)
    const far = connectTcp(Number(port), hostname, () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      near.pipe(far).pipe(near)
    })
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
    }
    return far
  })
  proxy.on('request', (request: IncomingMessage, response) => {
    const { method, url = '', headers } = request
    asked.push(`${method} ${url}`)
    const sent = requestHttp(url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(sent)
  })
  await listening(proxy)
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    proxy.closeAllConnections()
    proxy.close()
  })
  return { port: (proxy.address() as AddressInfo).port, asked }
}

async function listening(server: Server | ReturnType<typeof createTcpServer>): Promise<void> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}

const target = () => new URL(server.url).host

describe('a server is reached through a proxy', () => {
  test('over HTTP, from the kubeconfig', async (context) => {
    const proxy = await startProxy(context, false)
    const cluster = { 'proxy-url': `http://127.0.0.1:${proxy.port}` }
    const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(client), 'jane')
    assert.equal(await nameOf(client), 'jane')
    assert.deepEqual(proxy.asked, [`CONNECT ${target()}`], 'the connection is kept')
  })

  test('over HTTPS, verified like the server', async (context) => {
    const proxy = await startProxy(context, true)
    const both = Buffer.from(`${server.authority}\n${testAuthority.cert}`).toString('base64')
    const cluster = { 'proxy-url': `https://127.0.0.1:${proxy.port}`, 'certificate-authority-data': both }
    const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(client), 'jane')
    assert.deepEqual(proxy.asked, [`CONNECT ${target()}`])
    const unknown = await connected(context, server, { cluster: { 'proxy-url': cluster['proxy-url'] } })
    assert.match(await failure(() => nameOf(unknown.client)), /^proxyconnect tcp: /)
  })

  test('with authentication', async (context) => {
    const proxy = await startProxy(context, false, (authorization) => authorization !== '')
    const cluster = { 'proxy-url': `http://jane:se%20cret@127.0.0.1:${proxy.port}` }
    const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(client), 'jane')
    const authorization = `Basic ${Buffer.from('jane:se cret').toString('base64')}`
    assert.deepEqual(proxy.asked, [`CONNECT ${target()} ${authorization}`])
  })

  test('from the environment', async (context) => {
    const proxy = await startProxy(context, false)
    const variables = { HTTPS_PROXY: `127.0.0.1:${proxy.port}` }
    const { port } = new URL(server.url)
    // Of servers on the same machine no proxy is asked: this one has to look as if it were elsewhere.
    const cluster = { server: `https://0.0.0.0:${port}`, 'tls-server-name': 'kubernetes' }
    const { client } = await connected(context, server, { user: { token: 'first' }, cluster, host: { variables } })
    assert.equal(await nameOf(client), 'jane')
    assert.deepEqual(proxy.asked, [`CONNECT 0.0.0.0:${port}`])
  })

  test('over SOCKS', async (context) => {
    const proxy = await startSocks(context)
    const cluster = { 'proxy-url': `socks5://127.0.0.1:${proxy.port}` }
    const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
    assert.equal(await nameOf(client), 'jane')
    assert.deepEqual(proxy.asked, [target()])
  })

  for (const isSecure of [false, true])
    test(`over HTTP${isSecure ? 'S' : ''}, to a plain server`, async (context) => {
      const plain = createHttpServer((_, response) => response.end(JSON.stringify({ kind: 'Namespace', metadata: {} })))
      await listening(plain)
      context.after(() => plain.close())
      const proxy = await startProxy(context, isSecure)
      const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
      const cluster = { 'proxy-url': `http${isSecure ? 's' : ''}://127.0.0.1:${proxy.port}` }
      const { client } = await connected(context, { url, authority: testAuthority.cert }, { cluster })
      assert.equal((await client.resource(Namespace).get('a')).kind, 'Namespace')
      assert.deepEqual(proxy.asked, [`GET ${url}/api/v1/namespaces/a`])
    })
})

test('a rejection by the proxy is reported without its password', async (context) => {
  const proxy = await startProxy(context, false, () => false)
  const cluster = { 'proxy-url': `http://jane:secret@127.0.0.1:${proxy.port}` }
  const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
  assert.equal(await failure(() => nameOf(client)), 'the proxy refused: 407 Proxy Authentication Required')
})

test('an unreachable proxy is reported without its password', async (context) => {
  const cluster = { 'proxy-url': 'http://jane:secret@127.0.0.1:1' }
  const { client } = await connected(context, server, { user: { token: 'first' }, cluster })
  assert.equal(await failure(() => nameOf(client)), 'proxyconnect tcp: connect ECONNREFUSED 127.0.0.1:1')
})

test('variables exclude servers from the proxy', () => {
  const variables = {
    HTTPS_PROXY: 'proxy:1',
    http_proxy: 'https://plain:2',
    NO_PROXY: 'near.org, .below.org,10.0.0.0/8,ports.org:6443',
  }
  const table: Readonly<Record<string, string | undefined>> = {
    'https://far.org': 'http://proxy:1',
    'http://far.org': 'https://plain:2',
    'https://near.org': undefined,
    'https://a.near.org': undefined,
    'https://notnear.org': 'http://proxy:1',
    'https://below.org': 'http://proxy:1',
    'https://a.below.org': undefined,
    'https://10.1.2.3:6443': undefined,
    'https://11.1.2.3:6443': 'http://proxy:1',
    'https://ports.org:6443': undefined,
    'https://ports.org': 'http://proxy:1',
    'https://localhost:6443': undefined,
    'https://127.0.0.1:6443': undefined,
    'https://[::1]:6443': undefined,
  }
  for (const [url, proxy] of Object.entries(table)) assert.equal(proxyFromVariables(url, variables), proxy, url)
  assert.equal(proxyFromVariables('https://far.org', { ...variables, NO_PROXY: '*' }), undefined)
  assert.equal(proxyFromVariables('https://far.org', {}), undefined)
})

async function startSocks(context: TestContext): Promise<Proxy> {
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const proxy = createTcpServer(async (near) => {
    sockets.add(near)
    near.on('error', () => {})
    const next = async () => ((await once(near, 'data')) as [Buffer])[0]
    await next()
    near.write(Buffer.from([5, 0]))
    const request = await next()
    const host = request.subarray(5, 5 + request[4]!).toString()
    const port = request.readUInt16BE(5 + request[4]!)
    asked.push(`${host}:${port}`)
    const far = connectTcp(port, host, () => {
      near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
      near.pipe(far).pipe(near)
    })
    sockets.add(far)
    far.on('error', () => {})
  })
  await listening(proxy)
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return { port: (proxy.address() as AddressInfo).port, asked }
}
