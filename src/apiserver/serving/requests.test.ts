import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { Agent } from 'node:https'
import { describe, test } from 'node:test'
import { hasReason } from '../../api/errors.js'
import { environment } from '../../base/environment.js'
import {
  createClientCertificate,
  createTestAuthority,
  openHttp2,
  openSocket,
  sendHttp1,
  sendHttp2,
  sendOn,
  startServer,
  type TestRequest,
  testAuthority,
} from '../../testing/servers/https-server.js'
import { issue } from '../../wire/x509/certificate.js'
import { ClientGone } from './body.js'
import type { ConnectionPeer } from './peer.js'
import type { RequestHandler } from './responder.js'
import type { ListeningServer } from './server.js'

const protocols = { 'HTTP/1.1': sendHttp1, 'HTTP/2': sendHttp2 }
const plain = ['content-type', 'text/plain']

/** Answers with what came in. */
const echo: RequestHandler = async (request, respond) => {
  const { method, path, query, headers } = request
  const body = await request.body(1000)
  assert.ok('bytes' in body)
  const seen = {
    method,
    path,
    query: [...query],
    x: headers['x-test'],
    host: headers.host,
    body: Buffer.from(body.bytes).toString(),
  }
  respond.whole(200, plain, Buffer.from(JSON.stringify(seen)))
}

for (const [protocol, send] of Object.entries(protocols))
  describe(`a request over ${protocol}`, () => {
    test('arrives with its method, path, query, headers and body', async (context) => {
      const server = await startServer(context, echo)
      const answer = await send(server, {
        method: 'POST',
        path: '/a%20b?c=d',
        headers: { 'x-test': 'yes' },
        body: 'hello',
      })
      assert.equal(answer.status, 200)
      assert.equal(answer.headers['content-type'], 'text/plain')
      assert.equal(answer.headers['content-length'], String(answer.bytes.length))
      const host = `127.0.0.1:${server.port}`
      assert.deepEqual(JSON.parse(answer.text), {
        ...{ method: 'POST', path: '/a b', query: [['c', 'd']], x: 'yes', host, body: 'hello' },
      })
    })

    test('without a body has an empty one', async (context) => {
      const server = await startServer(context, echo)
      assert.equal(JSON.parse((await send(server, {})).text).body, '')
    })

    test('has a body that can be read only once', async (context) => {
      const errors: unknown[] = []
      const server = await startServer(context, async (request, respond) => {
        await request.body(10)
        await request.body(10).catch((error) => errors.push(error))
        respond.whole(200, plain, Buffer.from('done'))
      })
      await send(server, { method: 'POST', body: 'x' })
      assert.match(String(errors[0]), /only once/)
    })

    test('with too long a body is rejected by its declared length, and by what comes', async (context) => {
      const errors: unknown[] = []
      const server = await startServer(context, async (request, respond) => {
        await request.body(10).catch((error) => errors.push(error))
        respond.whole(413, plain, Buffer.from('too much'))
      })
      const body = 'x'.repeat(300_000)
      const declared = await send(server, { method: 'POST', body, headers: { 'content-length': String(body.length) } })
      assert.deepEqual([declared.status, declared.text], [413, 'too much'])
      const streamed = await send(server, { method: 'POST', body, headers: chunked(protocol) })
      assert.deepEqual([streamed.status, streamed.text], [413, 'too much'])
      assert.equal(errors.length, 2)
      for (const error of errors) assert.ok(hasReason(error, 'RequestEntityTooLarge'))
      assert.match(String(errors[0]), /Request entity too large: limit is 10$/)
    })

    test('that is malformed is rejected before anybody sees it', async (context) => {
      const server = await startServer(context, () => assert.fail('nobody should see it'))
      const answer = await send(server, { path: '/%zz' })
      assert.deepEqual([answer.status, answer.text], [400, '400 Bad Request'])
    })

    test('of which nobody made anything gets 500, and the server lives', async (context) => {
      const handlers: RequestHandler[] = [
        () => assert.fail('at once'),
        () => Promise.reject(new Error('later')),
        (_, respond) => respond.whole(200, plain, Buffer.from('fine')),
      ]
      const server = await startServer(context, (request, respond) => handlers.shift()!(request, respond))
      assert.equal((await send(server, {})).status, 500)
      assert.equal((await send(server, {})).status, 500)
      assert.equal((await send(server, {})).text, 'fine')
    })

    test('with the method HEAD getsout a body', async (context) => {
      const server = await startServer(context, (_, respond) => respond.whole(200, plain, Buffer.from('body')))
      const answer = await send(server, { method: 'HEAD' })
      assert.deepEqual([answer.status, answer.text, answer.headers['content-length']], [200, '', '4'])
    })

    test('is told who is at the other end', async (context) => {
      const peers: ConnectionPeer[] = []
      const server = await startServer(context, (request, respond) => {
        peers.push(request.peer)
        respond.whole(204, [], new Uint8Array())
      })
      const past = environment({ clock: { ...environment().clock, now: () => Date.UTC(2020, 0, 1) } })
      const expired = issue({ commonName: 'jane', use: 'client', notAfter: Date.UTC(2021, 0, 1) }, past, testAuthority)
      const wrongUse = createClientCertificate(testAuthority, { use: 'server' })
      const credentials = [
        createClientCertificate(testAuthority),
        createClientCertificate(createTestAuthority()),
        createClientCertificate(createTestAuthority('other')),
        expired,
        wrongUse,
      ]
      assert.equal((await send(server, {})).status, 204)
      for (const credential of credentials) await send(server, { credential })
      const [none, known, sameName, other, late, misused] = peers as [ConnectionPeer, ...ConnectionPeer[]]
      assert.deepEqual(none, { address: '127.0.0.1' })
      assert.deepEqual(known?.certificate, new X509Certificate(credentials[0]!.cert).raw)
      assert.equal(known?.certificateFault, undefined)
      for (const refused of [sameName, other, late, misused]) assert.equal(refused?.certificate, undefined)
      assert.deepEqual(
        [sameName, other, late, misused].map((peer) => peer?.certificateFault),
        ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED', 'INVALID_PURPOSE'],
      )
    })
  })

function chunked(protocol: string): NonNullable<TestRequest['headers']> {
  return protocol === 'HTTP/1.1' ? { 'transfer-encoding': 'chunked' } : {}
}

describe('an upload', () => {
  test('that breaks off is never taken for whole', async (context) => {
    const { server, outcome } = await startCollecting(context)
    const socket = await openSocket(server)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf of it')
    setTimeout(() => socket.destroy(), 50)
    await assert.rejects(outcome, ClientGone)
  })

  test('that breaks off within HTTP/2 is never taken for whole', async (context) => {
    const { server, outcome } = await startCollecting(context)
    const session = await openHttp2(server)
    const stream = session.request({ ':method': 'POST', ':path': '/' })
    stream.on('error', () => {})
    stream.write('half of it')
    setTimeout(() => session.destroy(), 50)
    await assert.rejects(outcome, ClientGone)
  })

  test('that does not come is cut off', async (context) => {
    const { server, outcome } = await startCollecting(context)
    const socket = await openSocket(server)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf of it')
    await assert.rejects(outcome, ClientGone)
    if (!socket.resume().closed) await once(socket, 'close')
  })

  test('that does not come within HTTP/2 is cut off', async (context) => {
    const { server, outcome } = await startCollecting(context)
    const session = await openHttp2(server)
    const stream = session.request({ ':method': 'POST', ':path': '/' })
    stream.on('error', () => {})
    stream.write('half of it')
    await assert.rejects(outcome, ClientGone)
    if (!stream.resume().closed) await once(stream, 'close')
    session.close()
  })

  test('that is not wanted is not even sent, if the client asks before', async (context) => {
    const server = await startServer(context, async (request, respond) => {
      const wanted = await request.body(10).then(
        () => 200,
        () => 413,
      )
      respond.whole(wanted, plain, Buffer.from('answer'))
    })
    const refused = await openSocket(server)
    refused.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n')
    assert.match(await firstLine(refused), /^HTTP\/1.1 413 /)
    const taken = await openSocket(server)
    taken.write('POST / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n')
    assert.match(await firstLine(taken), /^HTTP\/1.1 100 /)
    taken.write('ok')
    assert.match(await firstLine(taken), /^HTTP\/1.1 200 /)
  })

  test('is asked for between answers, and never within one', async (context) => {
    const server = await startServer(context, async (request, respond) => {
      await request.body(10)
      respond.whole(200, plain, Buffer.from('answer'))
    })
    const socket = await openSocket(server)
    const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n'
    socket.write(`${post}\r\nok${post}expect: 100-continue\r\nconnection: close\r\n\r\nok`)
    const [first = '', ...rest] = (await textOf(socket)).split('answer')
    assert.match(first, /^HTTP\/1.1 200 /)
    assert.doesNotMatch(rest.join(), /200 OK[\s\S]*100 Continue/)
  })

  test('of which nothing is read leaves the connection usable', async (context) => {
    const server = await startServer(context, (_, respond) => respond.whole(401, plain, Buffer.from('who are you')))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const body = Buffer.alloc(3_000_000)
    assert.equal((await sendHttp1(server, { method: 'POST', body, agent })).status, 401)
    assert.equal((await sendHttp1(server, { method: 'POST', body, agent })).status, 401)
    agent.destroy()
    const session = await openHttp2(server)
    assert.equal((await sendOn(session, { method: 'POST', body: body.subarray(0, 200_000) })).status, 401)
    assert.equal((await sendOn(session, {})).status, 401)
    session.close()
  })
})

interface Collecting {
  readonly server: ListeningServer
  readonly outcome: Promise<unknown>
}

/** Reads one body; a whole request must arrive within a moment. */
async function startCollecting(context: Parameters<typeof startServer>[0]): Promise<Collecting> {
  let tell: (outcome: Promise<unknown>) => void
  const outcome = new Promise((resolve) => {
    tell = resolve
  })
  const server = await startServer(
    context,
    (request) => {
      tell(request.body(1000))
    },
    { limits: { request: 500, headers: 500 } },
  )
  return { server, outcome }
}

async function firstLine(socket: NodeJS.ReadableStream): Promise<string> {
  const [data] = await once(socket, 'data')
  return String(data).split('\r\n')[0]!
}

describe('the signal of a request', () => {
  for (const [protocol, open] of Object.entries({ 'HTTP/1.1': leaveHttp1, 'HTTP/2': leaveHttp2 })) {
    test(`over ${protocol} is aborted when the client goes`, async (context) => {
      let aborted: () => void
      const gone = new Promise<void>((resolve) => {
        aborted = resolve
      })
      const server = await startServer(context, (request, respond) => {
        request.signal.addEventListener('abort', () => aborted())
        respond.head(200, plain)
      })
      await open(server)
      await gone
    })
  }
  for (const [protocol, send] of Object.entries(protocols))
    test(`over ${protocol} stays quiet when all has been said`, async (context) => {
      const signals: AbortSignal[] = []
      const server = await startServer(context, (request, respond) => {
        signals.push(request.signal)
        respond.whole(200, plain, Buffer.from('all'))
      })
      await send(server, {})
      await server.close()
      assert.deepEqual(
        signals.map((signal) => signal.aborted),
        [false],
      )
    })
})

async function leaveHttp1(server: ListeningServer): Promise<void> {
  const socket = await openSocket(server)
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
}

async function leaveHttp2(server: ListeningServer): Promise<void> {
  const session = await openHttp2(server)
  const stream = session.request({ ':path': '/' })
  await once(stream, 'response')
  stream.close()
  session.close()
}

async function textOf(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

test('a response that waits behind another learns that the client has gone', async (context) => {
  let room: Promise<void> | undefined
  let gone: Promise<unknown> | undefined
  const begun = new AbortController()
  const server = await startServer(context, (request, respond) => {
    respond.head(200, plain)
    if (request.path === '/first') return
    gone = once(request.signal, 'abort')
    respond.write(Buffer.alloc(1 << 20))
    room = respond.drained()
    begun.abort()
  })
  const socket = await openSocket(server)
  socket.write('GET /first HTTP/1.1\r\nhost: a\r\n\r\nGET /second HTTP/1.1\r\nhost: a\r\n\r\n')
  if (!begun.signal.aborted) await once(begun.signal, 'abort')
  socket.destroy()
  await Promise.all([room, gone])
})
