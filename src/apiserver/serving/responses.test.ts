import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:https'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import {
  openHttp2,
  openSocket,
  sendHttp1,
  sendHttp2,
  sendOn,
  startServer,
  testAuthority,
} from '../../testing/servers/https-server.js'
import { gzipThreshold } from './gzip.js'
import type { RequestHandler, Responder } from './responder.js'

const protocols = { 'HTTP/1.1': sendHttp1, 'HTTP/2': sendHttp2 }
const plain = ['content-type', 'text/plain']
const gzip = { 'accept-encoding': 'gzip' }

/** Compresses to about a half. */
function sample(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, index) => ((index * 7919) % 251) & 0x7f))
}

/** As those send who have much to say: piece by piece, waiting for room. */
function inPieces(bytes: Buffer, headers: readonly string[] = plain): RequestHandler {
  return async (_, respond) => {
    respond.head(200, headers)
    for (let start = 0; start < bytes.length && !respond.closed; start += 50_000)
      if (!respond.write(bytes.subarray(start, start + 50_000))) await respond.drained()
    respond.end()
  }
}

for (const [protocol, send] of Object.entries(protocols))
  describe(`an answer over ${protocol}`, () => {
    test('in one piece has its length', async (context) => {
      const bytes = sample(2_000_000)
      const server = await startServer(context, (_, respond) => respond.whole(200, plain, bytes))
      const answer = await send(server, {})
      assert.ok(answer.bytes.equals(bytes))
      assert.equal(answer.headers['content-length'], '2000000')
      assert.equal(answer.headers['content-encoding'], undefined)
    })

    test('in many pieces arrives whole', async (context) => {
      const bytes = sample(2_000_000)
      const server = await startServer(context, inPieces(bytes))
      assert.ok((await send(server, {})).bytes.equals(bytes))
    })

    test('of no content has no length', async (context) => {
      const server = await startServer(context, (_, respond) => respond.whole(204, [], new Uint8Array()))
      const answer = await send(server, {})
      assert.deepEqual([answer.status, answer.text, answer.headers['content-length']], [204, '', undefined])
    })

    test('may repeat a header, and may hold any text in it', async (context) => {
      const list = ['warning', '299 - "eins"', 'warning', '299 - "größe → 2"']
      const server = await startServer(context, (_, respond) => respond.whole(200, list, Buffer.from('x')))
      const { headers } = await send(server, {})
      assert.equal(Buffer.from(String(headers.warning), 'latin1').toString(), '299 - "eins", 299 - "größe → 2"')
    })

    test('begins before there is anything to tell', async (context) => {
      let responder: Responder | undefined
      const server = await startServer(context, (_, respond) => {
        responder = respond
        respond.head(200, plain)
        assert.equal(respond.started, true)
        assert.equal(respond.closed, false)
      })
      const answer = send(server, {})
      while (!responder) await new Promise(setImmediate)
      responder.write(Buffer.from('one,'))
      responder.end(Buffer.from('two'))
      assert.equal((await answer).text, 'one,two')
      assert.equal(responder.closed, true)
      responder.end(Buffer.from('late')) // nobody listens any more, and nothing breaks
      assert.equal(responder.write(Buffer.from('late')), false)
      await responder.drained()
    })

    test('that fails on the way is cut off, so that nobody takes it for whole', async (context) => {
      const server = await startServer(context, async (_, respond) => {
        respond.head(200, plain)
        respond.write(Buffer.from('half of it'))
        await new Promise(setImmediate)
        throw new Error('no more')
      })
      await assert.rejects(send(server, {}))
    })

    test('that is long is compressed, if the client takes that', async (context) => {
      const bytes = sample(gzipThreshold * 10)
      const server = await startServer(context, (_, respond) => respond.whole(200, plain, bytes))
      const answer = await send(server, { headers: { 'accept-encoding': 'deflate, gzip;q=0.5' } })
      assert.equal(answer.headers['content-encoding'], 'gzip')
      assert.equal(answer.headers.vary, 'Accept-Encoding')
      assert.equal(answer.headers['content-length'], undefined)
      assert.ok(answer.bytes.length < bytes.length)
      assert.ok(gunzipSync(answer.bytes).equals(bytes))
    })

    test('in pieces is compressed if its length is known from the start', async (context) => {
      const bytes = sample(gzipThreshold * 10)
      const server = await startServer(context, inPieces(bytes, [...plain, 'content-length', String(bytes.length)]))
      const compressed = await send(server, { headers: gzip })
      assert.equal(compressed.headers['content-encoding'], 'gzip')
      assert.ok(gunzipSync(compressed.bytes).equals(bytes))
      const asItIs = await send(server, {})
      assert.equal(asItIs.headers['content-length'], String(bytes.length))
      assert.ok(asItIs.bytes.equals(bytes))
    })

    test('is not compressed if it is short, of unknown length, not wanted so, or no reading', async (context) => {
      const server = await startServer(context, (request, respond) => {
        if (request.path === '/short') respond.whole(200, plain, sample(gzipThreshold - 1))
        else if (request.path === '/long') respond.whole(200, plain, sample(gzipThreshold))
        else return inPieces(sample(gzipThreshold * 2))(request, respond)
      })
      const requests = [
        { path: '/short', headers: gzip },
        { path: '/pieces', headers: gzip },
        { path: '/long' },
        { path: '/long', headers: { 'accept-encoding': 'gzip;q=0, br' } },
        { path: '/long', headers: gzip, method: 'POST' },
      ]
      for (const one of requests) assert.equal((await send(server, one)).headers['content-encoding'], undefined)
      assert.equal((await send(server, { path: '/long', headers: gzip })).headers['content-encoding'], 'gzip')
    })
  })

describe('a slow reader', () => {
  const endless: RequestHandler = async (_, respond) => {
    respond.head(200, plain)
    while (!respond.closed) {
      produced += 100_000
      if (!respond.write(sample(100_000))) await respond.drained()
      assert.ok(respond.buffered < 10_000_000)
    }
    finished()
  }
  let produced = 0
  let finished = () => {}

  test('holds back whoever feeds it, and is cut off when it takes nothing at all', async (context) => {
    const ended = new Promise<void>((resolve) => {
      finished = resolve
    })
    produced = 0
    const server = await startServer(context, endless, { limits: { stall: 500 } })
    const socket = await openSocket(server)
    socket.pause().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await ended
    assert.ok(produced < 50_000_000, `${produced} bytes were produced for somebody who read none`)
    socket.destroy()
  })

  test('within HTTP/2 is cut off alone', async (context) => {
    const ended = new Promise<void>((resolve) => {
      finished = resolve
    })
    const server = await startServer(
      context,
      (request, respond) => {
        if (request.path === '/endless') return endless(request, respond)
        respond.whole(200, plain, Buffer.from('fine'))
      },
      { limits: { stall: 500 } },
    )
    const session = await openHttp2(server)
    const stalled = session.request({ ':path': '/endless' })
    stalled.on('error', () => {})
    await once(stalled, 'response')
    const pinging = setInterval(() => session.ping(() => {}), 50)
    await ended
    clearInterval(pinging)
    assert.equal((await sendOn(session, {})).text, 'fine')
    session.destroy()
  })

  test("within HTTP/2 may take its time with what is somebody else's", async (context) => {
    const server = await startServer(
      context,
      async (_, respond) => {
        respond.head(200, plain, true)
        for (let piece = 0; piece < 20; piece++) if (!respond.write(sample(100_000))) await respond.drained()
        respond.end()
      },
      { limits: { stall: 200 } },
    )
    const session = await openHttp2(server)
    const log = session.request({ ':path': '/' })
    await once(log, 'response')
    await new Promise((resolve) => setTimeout(resolve, 1000)) // longer than anybody else may stall
    assert.equal(Buffer.concat(await log.toArray()).length, 2_000_000)
    session.close()
  })

  test('is left in peace while there is nothing to read', async (context) => {
    const responders: Responder[] = []
    const server = await startServer(
      context,
      (_, respond) => {
        respond.head(200, plain)
        responders.push(respond)
      },
      { limits: { stall: 100, idle: 100, headers: 100, request: 100 } },
    )
    const answers = [sendHttp1(server, {}), sendHttp2(server, {})]
    await new Promise((resolve) => setTimeout(resolve, 1000))
    assert.equal(responders.length, 2)
    for (const respond of responders) respond.end(Buffer.from('at last'))
    assert.deepEqual(
      (await Promise.all(answers)).map(({ text }) => text),
      ['at last', 'at last'],
    )
  })
})

test('large responses on a connection of HTTP/2 do not keep others out', async (context) => {
  const bytes = sample(12_000_000)
  const server = await startServer(context, (request, respond) =>
    respond.whole(200, plain, request.path === '/large' ? bytes : Buffer.from('small')),
  )
  const session = await openHttp2(server)
  const large = Array.from({ length: 4 }, () => sendOn(session, { path: '/large' }))
  for (let index = 0; index < 20; index++) assert.equal((await sendOn(session, {})).text, 'small')
  for (const answer of await Promise.all(large)) assert.ok(answer.bytes.equals(bytes))
  session.close()
})

test('a connection serves one request after the other', async (context) => {
  const server = await startServer(context, (_, respond) => respond.whole(200, plain, Buffer.from('x')))
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number>()
  for (let index = 0; index < 5; index++) {
    const sent = request({ host: '127.0.0.1', port: server.port, ca: testAuthority.cert, agent }).end()
    const [answer] = await once(sent, 'response')
    ports.add(answer.socket.localPort)
    await answer.toArray()
  }
  assert.equal(ports.size, 1)
  agent.destroy()
})
