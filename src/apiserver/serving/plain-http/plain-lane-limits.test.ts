import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, test } from 'node:test'
import { connect, type TLSSocket } from 'node:tls'
import { openSocket, RawResponseReader, startServer, testAuthority } from '../../../testing/servers/https-server.js'
import type { Responder } from '../responder.js'
import { PlainRequest } from './plain-request.js'

const text = ['content-type', 'text/plain']
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
const long = 60_000
const short = 200
const limits = { headers: long, request: long, idle: long, stall: long, grace: long }
const fine = (_: unknown, respond: Responder) => respond.whole(200, text, Buffer.from('fine'))

async function closed(socket: TLSSocket): Promise<void> {
  socket.resume()
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

describe('a connection is closed', () => {
  test('if nothing ever comes', async (context) => {
    const server = await startServer(context, fine, { limits: { ...limits, headers: short } })
    await closed(await openSocket(server))
  })

  for (const [which, stall] of Object.entries({ 'less than': long, 'more than': short / 2, 'as much as': short * 5 }))
    test(`if it is idle after a request, where that is ${which} a client may stall`, async (context) => {
      const server = await startServer(context, fine, { limits: { ...limits, idle: short * 5, stall } })
      const socket = await openSocket(server)
      for (let index = 0; index < 2; index++) {
        await pause(short)
        socket.write(get)
        assert.match(String(await once(socket, 'data')), /fine$/)
      }
      await closed(socket)
    })

  test('if it is idle after a response that ended in silence', async (context) => {
    const server = await startServer(
      context,
      async (_, respond) => {
        respond.head(200, [...text, 'content-length', '4'])
        respond.write(Buffer.from('fine'))
        await pause(short * 3)
        respond.end()
      },
      { limits: { ...limits, idle: short, stall: short } },
    )
    const socket = await openSocket(server)
    socket.write(get)
    await closed(socket)
  })

  test('if it is idle, or its client takes nothing, when it has gone over to Node', async (context) => {
    for (const limit of [{ idle: short }, { stall: short }]) {
      const server = await startServer(
        context,
        (request, respond) => {
          const bytes = request instanceof PlainRequest ? Buffer.from('fine') : Buffer.alloc(20_000_000)
          respond.whole(200, text, 'stall' in limit ? bytes : Buffer.from('fine'))
        },
        { limits: { ...limits, ...limit } },
      )
      const socket = await openSocket(server)
      socket.write(get)
      await once(socket, 'data')
      socket.pause().write(chunked)
      while (server.connections > 0) await pause(10)
      socket.destroy()
    }
  })

  test('if its client asks and asks, and takes no answer, for which no memory grows', async (context) => {
    let most = 0
    let answered = 0
    const server = await startServer(
      context,
      (_, respond) => {
        respond.whole(200, text, Buffer.alloc(100_000))
        most = Math.max(most, respond.buffered)
        answered++
      },
      { limits: { ...limits, stall: short } },
    )
    const socket = await openSocket(server)
    socket.pause()
    while (server.connections === 0) await pause(1)
    for (let asked = 1; asked <= 500 && server.connections > 0; asked++) {
      socket.write(get)
      // Each comes by itself, for as long as they are taken.
      while (answered < asked && server.connections > 0) await pause(1)
    }
    assert.ok(answered > 1, `${answered} were answered`)
    assert.ok(most < 200_000, `${most} bytes were waiting`)
    while (server.connections > 0) await pause(10)
    socket.destroy()
  })

  test('after the response, if the client wants that', async (context) => {
    const server = await startServer(context, fine, { limits: { ...limits, idle: short } })
    const options = { host: '127.0.0.1', port: server.port, ca: testAuthority.cert, allowHalfOpen: true }
    const socket = connect({ ...options, ALPNProtocols: ['http/1.1'] })
    await once(socket, 'secureConnect')
    const responses = new RawResponseReader(socket)
    socket.write(get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    assert.match(await responses.rest(), /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*\r\n\r\nfine$/)
    // Also if the client itself stays.
    while (server.connections > 0) await pause(10)
    socket.destroy()
  })
})

test('a connection with a response to come may be silent for long', async (context) => {
  for (const [idle, stall] of [
    [short, short / 2],
    [short / 2, short],
  ] as const) {
    const responders: Responder[] = []
    const server = await startServer(context, (_, respond) => void responders.push(respond), {
      limits: { ...limits, idle, stall },
    })
    const socket = await openSocket(server)
    const responses = new RawResponseReader(socket)
    socket.write(get)
    await pause(short * 4)
    fine(undefined, responders[0]!)
    assert.match(await responses.next(), /fine$/)
  }
})

test('a client that says much before it is answered is not listened to for ever', async (context) => {
  let hasBegun = false
  const server = await startServer(context, () => {
    hasBegun = true
  })
  const socket = await openSocket(server)
  socket.write(get)
  while (!hasBegun) await pause(1)
  let taken = 0
  const say = () => void (++taken < 150 && socket.write(Buffer.alloc(100_000, get), say))
  say()
  for (let before = -1; before !== taken; await pause(1000)) before = taken
  assert.ok(taken < 150, 'all of it was taken')
})

describe('a server that closes', () => {
  test('ends connections that are idle, whoever has served them', async (context) => {
    const server = await startServer(context, fine, { limits })
    const sockets = [await openSocket(server), await openSocket(server), await openSocket(server)]
    for (const [index, message] of [get, chunked].entries()) {
      sockets[index]!.write(message)
      await once(sockets[index]!, 'data')
    }
    await Promise.all([server.close(), ...sockets.map(closed)])
  })

  test('gives the response that is being given, and says that it is the last', async (context) => {
    const responders: Responder[] = []
    const server = await startServer(context, (_, respond) => void responders.push(respond), { limits })
    const socket = await openSocket(server)
    const responses = new RawResponseReader(socket)
    socket.write(get)
    while (responders.length === 0) await pause(1)
    socket.write(get)
    await pause(20)
    const closing = server.close()
    fine(undefined, responders[0]!)
    assert.match(await responses.rest(), /^HTTP\/1.1 200 OK\r\n[\s\S]*\r\nConnection: close\r\n[\s\S]*\r\n\r\nfine$/)
    await closing
    assert.equal(responders.length, 1) // nobody could be told what became of the second one
  })

  test('lets a response leave that is on its way', async (context) => {
    const bytes = Buffer.alloc(20_000_000, 'x')
    let hasAnswered = false
    const server = await startServer(
      context,
      (_, respond) => {
        respond.whole(200, text, bytes)
        hasAnswered = true
      },
      { limits },
    )
    const socket = await openSocket(server)
    socket.pause().write(get)
    while (!hasAnswered) await pause(1)
    const closing = server.close()
    const whole = await new RawResponseReader(socket).rest()
    assert.equal(whole.length - whole.indexOf('\r\n\r\n') - 4, bytes.length)
    await closing
  })
})
