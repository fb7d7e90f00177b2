import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { describe, test } from 'node:test'
import {
  openSocket,
  RawResponseReader,
  startServer,
  testAuthority,
  testServerCertificate,
} from '../../../testing/servers/https-server.js'
import type { RequestHandler } from '../responder.js'
import { PlainRequest } from './plain-request.js'

type Context = Parameters<typeof startServer>[0]

const text = ['content-type', 'text/plain']
const get = (path: string, lines = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${lines}\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const chunked = (path: string, ...chunks: string[]) => {
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${framed}0\r\n\r\n`
}

/** Tells who read the request, and what it was. */
const tell: RequestHandler = async (request, respond) => {
  const body = await request.body(10_000_000)
  assert.ok('bytes' in body)
  const reader = request instanceof PlainRequest ? 'lane' : 'node'
  const said = body.bytes.length > 100 ? `${body.bytes.length} bytes` : Buffer.from(body.bytes).toString()
  respond.whole(200, text, Buffer.from(`${reader} ${request.method} ${request.path} ${said}`.trim()))
}

function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4)
}

async function talk(context: Context, handle: RequestHandler = tell) {
  const server = await startServer(context, handle)
  const socket = await openSocket(server)
  const responses = new RawResponseReader(socket)
  const ask = async (message: string) => {
    socket.write(message)
    return bodyOf(await responses.next())
  }
  return { server, socket, responses, ask }
}

describe('a connection with plain requests', () => {
  test('is served one by one', async (context) => {
    const { ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    assert.equal(await ask(post('/b', 'hello')), 'lane POST /b hello')
    assert.equal(await ask(get('/c')), 'lane GET /c')
  })

  test('keeps the headers of each request from those who change them in another', async (context) => {
    const seen: unknown[] = []
    const { ask } = await talk(context, (request, respond) => {
      const { headers, rawHeaders } = request
      seen.push([headers.authorization, headers['impersonate-user'], rawHeaders])
      delete headers.authorization
      delete headers['impersonate-user']
      headers['x-new'] = 'of the one before'
      assert.equal(request.headers.authorization, undefined)
      respond.whole(200, text, Buffer.from(String(Object.keys(request.headers).length)))
    })
    const message = get('/', 'Authorization: Bearer x\r\nImpersonate-User: jane\r\n')
    assert.deepEqual([await ask(message), await ask(message)], ['2', '2'])
    assert.deepEqual(seen[0], seen[1])
    assert.deepEqual((seen[0] as string[]).slice(0, 2), ['Bearer x', 'jane'])
  })

  test('responds to two requests that come in one piece in their order', async (context) => {
    const { socket, responses, ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    socket.write(get('/b') + post('/c', 'hello') + get('/d'))
    const all = [await responses.next(), await responses.next(), await responses.next()].map(bodyOf)
    assert.deepEqual(all, ['node GET /b', 'node POST /c hello', 'node GET /d'])
  })

  test('takes a request in two pieces, wherever it is cut', async (context) => {
    const server = await startServer(context, tell)
    const message = post('/a', 'hello')
    const cut = async (at: number) => {
      const socket = (await openSocket(server)).setNoDelay(true)
      const responses = new RawResponseReader(socket)
      for (const expected of ['POST /a hello', 'POST /a hello']) {
        socket.write(message.slice(0, at))
        await new Promise((resolve) => setTimeout(resolve, 2))
        socket.write(message.slice(at))
        assert.match(bodyOf(await responses.next()), new RegExp(expected))
      }
      socket.destroy()
    }
    for (let at = 1; at < message.length; at++) await cut(at)
  })

  test('rejects a target that is malformed, and goes on', async (context) => {
    const { socket, responses, ask } = await talk(context)
    socket.write(get('/%zz'))
    assert.match(await responses.next(), /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*\r\n\r\n400 Bad Request$/)
    assert.equal(await ask(get('/a')), 'lane GET /a')
  })
})

describe('a connection goes over to Node', () => {
  test('with the first upload in chunks', async (context) => {
    const { ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    assert.equal(await ask(post('/b', '1')), 'lane POST /b 1')
    assert.equal(await ask(chunked('/c', 'he', 'llo')), 'node POST /c hello')
    assert.equal(await ask(get('/d')), 'node GET /d')
  })

  test('in the middle of a long upload, of which nothing is lost or turned around', async (context) => {
    const bodies: Buffer[] = []
    const { ask } = await talk(context, async (request, respond) => {
      const body = await request.body(10_000_000)
      if ('bytes' in body) bodies.push(Buffer.from(body.bytes))
      respond.whole(200, text, Buffer.from('taken'))
    })
    const long = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + (index % 26)).repeat(50_000 + index))
    for (const message of [get('/'), get('/'), chunked('/', ...long), post('/', long.join(''))])
      assert.equal(await ask(message), 'taken')
    assert.deepEqual(
      bodies.slice(2).map((body) => body.equals(Buffer.from(long.join('')))),
      [true, true],
    )
  })

  test('which asks for what is announced', async (context) => {
    const { socket, responses, ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    socket.write('POST /b HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n')
    assert.match(await responses.next(), /^HTTP\/1.1 100 Continue\r\n\r\n$/)
    assert.equal(await ask('hello'), 'node POST /b hello')
  })

  test('which answers what is malformed as on a new connection', async (context) => {
    for (const before of [[], [get('/a'), get('/b')]]) {
      const { socket, responses, ask } = await talk(context)
      for (const message of before) assert.match(await ask(message), /^lane GET/)
      socket.write('GET / HTTP/1.1\r\nHost: x\r\na\0: b\r\n\r\n')
      assert.equal(await responses.rest(), 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    }
  })

  test('with a head that was asked for alone', async (context) => {
    const { socket, responses, ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    socket.write(get('/b', 'Connection: close\r\n').replace('GET', 'HEAD'))
    assert.match(await responses.rest(), /^HTTP\/1.1 200 OK\r\n[\s\S]*content-length: 12\r\n[\s\S]*\r\n\r\n$/i)
  })

  test('with one that speaks an older HTTP', async (context) => {
    const { socket, responses, ask } = await talk(context)
    assert.equal(await ask(get('/a')), 'lane GET /a')
    socket.write(get('/b').replace('1.1', '1.0'))
    assert.match(await responses.rest(), /^HTTP\/1.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*node GET \/b$/i)
  })

  test('and leaves nothing behind where it then leaves HTTP', async (context) => {
    const upgraded: Duplex[] = []
    const upgrade = (_: unknown, socket: Duplex, head: Buffer) => {
      upgraded.push(socket)
      socket.write(`HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n${head}`)
      socket.pipe(socket)
    }
    const server = await startServer(context, tell, { upgrade })
    const socket = await openSocket(server)
    const responses = new RawResponseReader(socket)
    for (const path of ['/a', '/b']) {
      socket.write(get(path))
      assert.equal(bodyOf(await responses.next()), `lane GET ${path}`)
    }
    socket.write(`${get('/exec', 'Connection: Upgrade\r\nUpgrade: echo\r\n')}first`)
    assert.match(await responses.next(), /^HTTP\/1.1 101 /)
    socket.end(',second')
    assert.equal(await responses.rest(), 'first,second')
    assert.deepEqual(listeners(upgraded[0]!), listeners(await upgradedByNode(context, upgrade, upgraded)))
  })
})

/** Of whoever else might still listen. */
function listeners(socket: Duplex): Record<string, number> {
  const events = ['data', 'readable', 'timeout', 'drain', 'pause', 'resume', 'error', 'end']
  return Object.fromEntries(events.map((event) => [event, socket.listenerCount(event)]))
}

async function upgradedByNode(
  context: Context,
  upgrade: (request: unknown, socket: Duplex, head: Buffer) => void,
  upgraded: Duplex[],
): Promise<Duplex> {
  const server = createServer({ ...testServerCertificate })
    .on('upgrade', upgrade)
    .listen(0, '127.0.0.1')
  context.after(async () => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const headers = { connection: 'upgrade', upgrade: 'echo' }
  const sent = request({ host: '127.0.0.1', port, ca: testAuthority.cert, headers }).end()
  const [, socket] = await once(sent, 'upgrade')
  socket.end()
  await once(socket.resume(), 'close')
  return upgraded.at(-1)!
}
