import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import { describe, test } from 'node:test'
import { connect } from 'node:tls'
import { environment } from '../../base/environment.js'
import {
  openHttp2,
  openSocket,
  sendHttp1,
  sendHttp2,
  sendOn,
  startServer,
  testAuthority,
  testServerCertificate,
} from '../../testing/servers/https-server.js'
import { issue } from '../../wire/x509/certificate.js'
import type { Responder } from './responder.js'
import { serve } from './tls-server.js'

const plain = ['content-type', 'text/plain']
const fine = (_: unknown, respond: Responder) => respond.whole(200, plain, Buffer.from('fine'))
const get = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'

async function closed(socket: NodeJS.ReadableStream & { readonly closed: boolean }): Promise<void> {
  socket.resume()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve)) // an error on the way is no matter
}

/** A server whose answers wait until they are told. */
async function startWaiting(context: Parameters<typeof startServer>[0], grace = 60_000) {
  const waiting: Responder[] = []
  const server = await startServer(context, (_, respond) => void waiting.push(respond), { limits: { grace } })
  const arrived = async (count: number) => {
    while (waiting.length < count) await new Promise(setImmediate)
  }
  return { server, waiting, arrived }
}

describe('a connection', () => {
  test('speaks what the client prefers, and HTTP/1.1 with those who do not say', async (context) => {
    const server = await startServer(context, fine)
    for (const [offered, chosen] of [
      [['h2', 'http/1.1'], 'h2'],
      [['http/1.1'], 'http/1.1'],
      [undefined, false],
    ] as const) {
      const socket = connect({
        host: '127.0.0.1',
        port: server.port,
        ca: testAuthority.cert,
        ...(offered && { ALPNProtocols: [...offered] }),
      })
      await once(socket, 'secureConnect')
      assert.equal(socket.alpnProtocol, chosen)
      if (chosen !== 'h2') {
        socket.write(get)
        const [data] = await once(socket, 'data')
        assert.match(String(data), /^HTTP\/1.1 200 OK\r\n/)
      }
      socket.destroy()
    }
  })

  test('on which the head of a request does not come is closed', async (context) => {
    const server = await startServer(context, fine, { limits: { headers: 300, request: 300 } })
    const silent = closed(await openSocket(server))
    const slow = await openSocket(server)
    const slowClosed = closed(slow)
    const dribble = setInterval(() => slow.writable && slow.write('a: b\r\n'), 50)
    context.after(() => clearInterval(dribble))
    slow.write('GET / HTTP/1.1\r\nhost: x\r\n')
    await Promise.all([silent, slowClosed])
  })

  test('without a TLS handshake is closed', async (context) => {
    const server = await startServer(context, fine, { limits: { handshake: 300 } })
    const socket = connectTcp(server.port, '127.0.0.1')
    socket.on('error', () => {})
    await closed(socket)
  })

  test('that is idle is closed', async (context) => {
    const server = await startServer(context, fine, { limits: { idle: 300 } })
    const socket = await openSocket(server)
    socket.write(get)
    const session = await openHttp2(server)
    await sendOn(session, {})
    await Promise.all([closed(socket), once(session, 'close')])
    while (server.connections > 0) await new Promise(setImmediate)
  })

  test('beyond the limit is rejected', async (context) => {
    const server = await startServer(context, fine, { limits: { connections: 2 } })
    const sockets = [await openSocket(server), await openSocket(server)]
    await assert.rejects(sendHttp1(server, {}))
    for (const socket of sockets) socket.destroy()
    while (server.connections > 0) await new Promise(setImmediate)
    assert.equal((await sendHttp1(server, {})).text, 'fine')
  })

  test('with a head that is too long is rejected', async (context) => {
    const server = await startServer(context, fine, { limits: { headerBytes: 10_000 } })
    const long = { 'x-long': 'x'.repeat(100_000) }
    assert.equal((await sendHttp1(server, { headers: long })).status, 431)
    await assert.rejects(async () => assert.equal((await sendHttp2(server, { headers: long })).status, 200))
    assert.equal((await sendHttp1(server, { headers: { 'x-long': 'x'.repeat(9_000) } })).status, 200)
  })

  test('that speaks nonsense is closed, and others are served', async (context) => {
    const server = await startServer(context, fine)
    const socket = await openSocket(server)
    socket.write('\0\x01 nonsense\r\n\r\n')
    await closed(socket)
    const session = connect({ host: '127.0.0.1', port: server.port, ca: testAuthority.cert, ALPNProtocols: ['h2'] })
    await once(session, 'secureConnect')
    session.on('error', () => {}).write('GET / HTTP/1.1\r\n\r\n')
    await closed(session)
    assert.equal((await sendHttp2(server, {})).text, 'fine')
  })

  test('can leave HTTP', async (context) => {
    const server = await startServer(context, fine, {
      limits: { stall: 200, idle: 200 },
      upgrade(request, socket, head) {
        assert.deepEqual([request.path, request.headers.upgrade, head.length], ['/exec', 'echo', 0])
        socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
        socket.pipe(socket)
      },
    })
    const socket = await openSocket(server)
    socket.write('GET /exec HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
    assert.match(String((await once(socket, 'data'))[0]), /^HTTP\/1.1 101 /)
    await new Promise((resolve) => setTimeout(resolve, 500)) // longer than any limit on silence
    socket.write('hello')
    assert.equal(String((await once(socket, 'data'))[0]), 'hello')
    socket.destroy()
    const malformed = await openSocket(server)
    malformed.write('GET /%zz HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n')
    assert.match(String((await once(malformed, 'data'))[0]), /^HTTP\/1.1 400 /)
  })

  test('stays in HTTP if nobody can leave it', async (context) => {
    const server = await startServer(context, fine)
    const response = await sendHttp1(server, { headers: { connection: 'upgrade', upgrade: 'websocket' } })
    assert.equal(response.text, 'fine')
  })

  test('sees the certificate that was last set', async (context) => {
    const server = await startServer(context, fine)
    const soon = environment().clock.now() + 60_000
    const renewed = issue(
      { commonName: 'renewed', use: 'server', hosts: ['127.0.0.1'], notAfter: soon },
      environment(),
      testAuthority,
    )
    const before = await openSocket(server)
    server.setTls({ ...renewed, clientCa: testAuthority.cert })
    const after = await openSocket(server)
    assert.deepEqual(
      [before, after].map((socket) => socket.getPeerCertificate().subject.CN),
      ['server', 'renewed'],
    )
    before.write(get)
    assert.match(String((await once(before, 'data'))[0]), /^HTTP\/1.1 200 /)
  })
})

describe('a server that closes', () => {
  test('lets requests end, and tells clients to go', async (context) => {
    const { server, waiting, arrived } = await startWaiting(context)
    const first = sendHttp1(server, { headers: { connection: 'keep-alive' } })
    const session = await openHttp2(server)
    const second = sendOn(session, {})
    await arrived(2)
    const goaway = once(session, 'goaway')
    const closing = server.close()
    await goaway
    await assert.rejects(sendHttp1(server, {}), /ECONNREFUSED/)
    for (const respond of waiting) respond.whole(200, plain, Buffer.from('in time'))
    assert.deepEqual([(await first).text, (await second).text], ['in time', 'in time'])
    assert.equal((await first).headers.connection, 'close')
    await closing
  })

  test('ends a connection after a response that had begun', async (context) => {
    const { server, waiting, arrived } = await startWaiting(context)
    const socket = await openSocket(server)
    socket.write(get)
    await arrived(1)
    waiting[0]!.head(200, plain)
    const closing = server.close()
    waiting[0]!.end(Buffer.from('bye'))
    let text = ''
    for await (const data of socket) text += data
    assert.match(text, /bye/)
    await closing
  })

  test('does not wait for those who ask for nothing', async (context) => {
    const { server } = await startWaiting(context)
    const socket = await openSocket(server)
    const session = await openHttp2(server)
    const handshaking = connectTcp(server.port, '127.0.0.1')
    handshaking.on('error', () => {})
    await once(handshaking, 'connect')
    await sendHttp1(await startServer(context, fine), {}) // lets the server see the connection
    await server.close()
    await Promise.all([closed(socket), session.closed || once(session, 'close'), closed(handshaking)])
  })

  test('cuts off the rest after the grace period', async (context) => {
    const { server, waiting, arrived } = await startWaiting(context, 300)
    const first = assert.rejects(sendHttp1(server, {}))
    const second = assert.rejects(sendHttp2(server, {}))
    await arrived(2)
    await server.close()
    await Promise.all([first, second])
    for (const respond of waiting) {
      assert.equal(respond.closed, true)
      respond.whole(200, plain, Buffer.from('too late'))
    }
  })

  test('can be closed twice', async (context) => {
    const { server } = await startWaiting(context)
    await Promise.all([server.close(), server.close()])
    await server.close()
  })
})

test('a port that is taken is an error', async (context) => {
  const server = await startServer(context, fine)
  const again = serve({
    handle: fine,
    tls: testServerCertificate,
    port: server.port,
    address: '127.0.0.1',
    environment: environment(),
  })
  await assert.rejects(again, { code: 'EADDRINUSE', port: server.port })
})

test('an unspecified address means all of them', async (context) => {
  const server = await startServer(context, fine, { address: '0.0.0.0' })
  assert.equal((await sendHttp1(server, {})).text, 'fine')
  assert.ok(server.address === '::' || server.address === '0.0.0.0')
})
