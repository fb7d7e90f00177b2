import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { openSocket, RawResponseReader, startServer } from '../../../testing/servers/https-server.js'
import type { Body } from '../../request/request-context.js'
import type { Responder } from '../responder.js'

const text = ['content-type', 'text/plain']
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
const post = (path: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`

function bodyOf(response: string): string {
  return response.slice(response.indexOf('\r\n\r\n') + 4)
}

describe('what comes while a response is being given', () => {
  /** Answers when it is told to. */
  async function startWaiting(context: Parameters<typeof startServer>[0]) {
    const waiting: { respond: Responder; path: string; signal: AbortSignal; body: Promise<Body> }[] = []
    const server = await startServer(context, (request, respond) => {
      const { path, signal } = request
      waiting.push({ respond, path, signal, body: request.body(1_000_000) })
    })
    const socket = await openSocket(server)
    const responses = new RawResponseReader(socket)
    const arrived = async (count: number) => {
      while (waiting.length < count) await new Promise(setImmediate)
    }
    const response = (index: number) => waiting[index]!.respond.whole(200, text, Buffer.from(waiting[index]!.path))
    return { socket, responses, waiting, arrived, response }
  }

  /** Long enough for what was sent to have come. */
  const moment = () => new Promise((resolve) => setTimeout(resolve, 50))

  test('is answered after it', async (context) => {
    const { socket, responses, arrived, response, waiting } = await startWaiting(context)
    socket.write(get('/a'))
    await arrived(1)
    socket.write(get('/b'))
    await moment()
    assert.equal(waiting.length, 1)
    response(0)
    await arrived(2)
    response(1)
    assert.deepEqual([bodyOf(await responses.next()), bodyOf(await responses.next())], ['/a', '/b'])
    assert.equal(socket.closed, false)
  })

  test('may be any part of what is to come, and as long as it likes', async (context) => {
    const { socket, responses, arrived, response, waiting } = await startWaiting(context)
    const body = Array.from({ length: 100_000 }, (_, index) => String(index % 99_991).padStart(5)).join('')
    const long = post('/b', body)
    socket.write(get('/a'))
    await arrived(1)
    for (const piece of [long.slice(0, 10), long.slice(10, 300_000), long.slice(300_000) + get('/c')]) {
      socket.write(piece)
      await moment()
    }
    for (let index = 0; index < 3; index++) {
      await arrived(index + 1)
      const seen = await waiting[index]!.body
      assert.ok('bytes' in seen && Buffer.from(seen.bytes).equals(Buffer.from(index === 1 ? body : '')))
      response(index)
    }
    const all = [await responses.next(), await responses.next(), await responses.next()].map(bodyOf)
    assert.deepEqual(all, ['/a', '/b', '/c'])
  })

  test('may be one plain request that is longer than what is kept', async (context) => {
    const { socket, responses, arrived, response } = await startWaiting(context)
    socket.write(get('/a'))
    await arrived(1)
    socket.write(post('/b', 'x'.repeat(70_000)))
    await moment()
    for (let index = 0; index < 3; index++) {
      await arrived(index + 1)
      response(index)
      if (index === 1) socket.write(get('/c'))
    }
    const all = [await responses.next(), await responses.next(), await responses.next()].map(bodyOf)
    assert.deepEqual(all, ['/a', '/b', '/c'])
  })

  test('hides nobody who goes', async (context) => {
    for (const early of ['', get('/b'), get('/b').repeat(3)]) {
      const { socket, arrived, waiting } = await startWaiting(context)
      socket.write(get('/a'))
      await arrived(1)
      if (early) socket.write(early)
      await moment()
      const { signal, respond } = waiting[0]!
      assert.equal(signal.aborted, false)
      socket.destroy()
      if (!signal.aborted) await once(signal, 'abort')
      assert.equal(respond.closed, true)
      respond.whole(200, text, Buffer.from('nobody is there'))
      await moment()
      assert.equal(waiting.length, 1)
    }
  })

  test('is nothing if the client only says that no more will come: it is taken for gone, as Node takes it', async (context) => {
    const { socket, responses, arrived, waiting } = await startWaiting(context)
    socket.write(get('/a'))
    await arrived(1)
    const { signal, respond } = waiting[0]!
    socket.end()
    assert.equal(await responses.rest(), '')
    if (!signal.aborted) await once(signal, 'abort')
    assert.equal(respond.closed, true)
    assert.equal(respond.write(Buffer.from('x')), false)
    await respond.drained()
  })
})
