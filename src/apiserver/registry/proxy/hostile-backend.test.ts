import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { Agent, request } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { TestApiServer } from '../../../testing/servers/api-server.js'
import { sendOn, testServerCertificate } from '../../../testing/servers/https-server.js'
import { adminHeaders, openPassage, prefix } from './proxy-path.test.kit.js'

interface Heard {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** All that was promised has come. */
  readonly isWhole: boolean
}

/** Anybody may run a pod, and let it say whatever he likes: here, through a node. */
describe('a hostile backend', () => {
  let server: TestApiServer
  let backend: Server
  /** What it says as soon as it has been asked, and what it does then. */
  let answer: string | Buffer
  let then: (socket: TLSSocket) => void
  let asked = ''
  const open = new Set<TLSSocket>()
  before(async () => {
    backend = createServer(testServerCertificate, (socket) => {
      open.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => open.delete(socket))
      socket.once('data', (data) => {
        asked = data.toString('latin1')
        socket.write(answer, 'latin1', () => then(socket))
      })
    })
    server = await openPassage(backend)
  })
  after(async () => {
    await server.close()
    for (const socket of open) socket.destroy()
    backend.close()
  })

  async function overHttp1(method: string, path: string, headers = {}, body?: string): Promise<Heard> {
    const agent = new Agent({ keepAlive: false })
    const { hostname: host, port } = new URL(server.url)
    const length = body === undefined ? {} : { 'content-length': String(body.length) }
    const options = { host, port, path, method, ca: server.authority, agent, maxHeaderSize: 100_000 }
    const sent = request({ ...options, headers: { ...adminHeaders(server), ...length, ...headers } })
    sent.end(body)
    const [response] = await once(sent, 'response')
    let text = ''
    let isWhole = true
    try {
      for await (const chunk of response) text += chunk.toString('latin1')
    } catch {
      isWhole = false
    }
    return { status: response.statusCode, headers: response.headers, text, isWhole }
  }

  /** The three ways of an answer: read and written by us, by Node, and over HTTP/2. */
  const ways: Readonly<Record<string, (path: string) => Promise<Heard>>> = {
    'the plain lane': (path) => overHttp1('GET', prefix + path),
    "Node's server": (path) => overHttp1('GET', prefix + path, { te: 'trailers' }),
    'HTTP/2': async (path) => {
      const session = connectHttp2(server.url, { ca: server.authority })
      session.on('error', () => {})
      try {
        const { status, headers, bytes } = await sendOn(session, { path: prefix + path, headers: adminHeaders(server) })
        return { status, headers, text: bytes.toString('latin1'), isWhole: true }
      } finally {
        session.close()
      }
    },
  }

  const says = (text: string | Buffer, next: (socket: TLSSocket) => void = (socket) => void socket.end()) => {
    answer = text
    then = next
  }

  /** Nobody holds a connection to it any more, nor ever will. */
  const letGo = async () => {
    for (let tries = 0; open.size > 0 && tries < 200; tries++) await new Promise((resolve) => setTimeout(resolve, 10))
    assert.equal(open.size, 0)
  }

  for (const [name, ask] of Object.entries(ways))
    describe(`through ${name}`, () => {
      for (const code of ['000', '099', '101', '600', '999'])
        test(`cannot respond with status ${code}`, async () => {
          says(`HTTP/1.1 ${code} Odd\r\ncontent-length: 1\r\n\r\nx`, () => {})
          const { status, text } = await ask('/odd')
          assert.ok(status === 503 || status === 500, `${status}`)
          assert.match(text, /"kind":"Status"/)
          await letGo()
        })

      for (const [kind, next] of Object.entries({
        stays: () => {},
        'goes with a bang': (socket: TLSSocket) => setTimeout(() => socket.destroy(new Error('bang')), 20),
      }))
        test(`cannot upgrade on its own, and ${kind}`, async () => {
          says('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n', next)
          const { status, text } = await ask('/leave')
          assert.equal(status, 500)
          assert.match(text, /backend tried to switch protocol \\"odd\\" when \\"\\" was requested/)
          await letGo()
        })

      test('may send unusual headers', async () => {
        says(
          'HTTP/1.1 200 OK\r\nconstructor: x\r\nhttp2-settings: y\r\nx-name: Jos\xc3\xa9\r\ncontent-length: 2\r\n\r\nok',
        )
        const { status, headers, text } = await ask('/odd')
        assert.deepEqual([status, text], [200, 'ok'])
        assert.equal(Object.hasOwn(headers, 'constructor') && headers.constructor, 'x')
        assert.deepEqual([headers['x-name'], headers['http2-settings']], ['Jos\xc3\xa9', undefined])
      })

      test('may send large headers', async () => {
        says(`HTTP/1.1 200 OK\r\nx-long: ${'x'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`)
        assert.equal((await ask('/long')).headers['x-long']?.length, 20_000)
      })

      test('may send empty pages, or none', async () => {
        const page = 'content-type: text/html\r\ncontent-encoding: gzip\r\n'
        says(`HTTP/1.1 304 Not Modified\r\n${page}\r\n`)
        assert.deepEqual((({ status, isWhole }) => [status, isWhole])(await ask('/old')), [304, true])
        says(`HTTP/1.1 200 OK\r\n${page}content-length: 0\r\n\r\n`)
        assert.deepEqual((({ status, isWhole }) => [status, isWhole])(await ask('/empty')), [200, true])
        says('HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n')
        assert.equal((await ask('/none')).status, 204)
      })

      test('is disconnected when it aborts a compressed page', async () => {
        const page = gzipSync('<a href="/x">'.repeat(1000)).subarray(0, 40)
        const head =
          'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\ncontent-length: 1000\r\n\r\n'
        says(Buffer.concat([Buffer.from(head), page]))
        await ask('/half').then(
          ({ isWhole }) => assert.equal(isWhole, false),
          () => {},
        )
        await letGo()
      })
    })

  test('whose connection is reset does not look complete', async () => {
    says('HTTP/1.1 200 OK\r\n\r\nhalf of it', (socket) =>
      setTimeout(() => (socket as unknown as Resettable)._parent.resetAndDestroy(), 50),
    )
    assert.equal((await ways['the plain lane']!('/half')).isWhole, false)
    says('HTTP/1.1 200 OK\r\n\r\nall of it')
    assert.deepEqual((({ text, isWhole }) => [text, isWhole])(await ways['the plain lane']!('/all')), [
      'all of it',
      true,
    ])
  })

  test('gets the length of a body with any method', async () => {
    says('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    await overHttp1('DELETE', `${prefix}/x`, {}, 'GET /smuggled HTTP/1.1\r\n\r\n')
    assert.match(asked, /^content-length: 26\r\n/im)
  })

  test('never sees the token of the client', async () => {
    const secret = `base64url.bearer.authorization.k8s.io.${Buffer.from(server.token).toString('base64url')}`
    const headers = { 'sec-websocket-protocol': `${secret}, own`, upgrade: 'websocket' }
    for (const connection of ['upgrade', 'close']) {
      says('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
      assert.equal((await overHttp1('GET', `${prefix}/x`, { ...headers, connection })).status, 400)
      assert.match(asked, /^sec-websocket-protocol: own\r$/im)
      assert.doesNotMatch(asked, /bearer/i)
    }
  })

  test('gets the path and query unchanged', async () => {
    says('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
    await overHttp1('GET', `${prefix}/a/../b?flag&c=~*;d%20e`)
    assert.match(asked, /^GET \/a\/..\/b\?flag&c=~\*;d%20e HTTP\/1.1\r\n/)
  })
})

interface Resettable {
  readonly _parent: { resetAndDestroy(): void }
}
