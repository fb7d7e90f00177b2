import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { ClientRequest, IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { describe, test } from 'node:test'
import { authority, serving } from '../../testing/https-server.js'
import { Connections } from './https-connections.js'

interface TestContext {
  after(run: () => void): void
}

/** A server that answers everybody, and the ways to it. */
async function scene(context: TestContext) {
  const sockets: Socket[] = []
  const server = createServer(serving, (_, response) => response.end('hello'))
  server.on('connection', (socket: Socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connections = new Connections({ server: `https://127.0.0.1:${port}`, authority: authority.cert })
  context.after(() => {
    connections.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { server, sockets, connections }
}

async function answerTo(sent: ClientRequest): Promise<string> {
  sent.end()
  const [message] = (await once(sent, 'response')) as [IncomingMessage]
  return (await message.toArray()).join('')
}

const get = { method: 'GET', headers: {} }

describe('a connection that is begun before there is a request', () => {
  test('is the one on which that is sent', async (context) => {
    const { server, sockets, connections } = await scene(context)
    connections.begin()
    await once(server, 'secureConnection')
    assert.equal(await answerTo(connections.open('/', get)), 'hello')
    assert.equal(await answerTo(connections.open('/', get)), 'hello')
    assert.equal(sockets.length, 1)
  })
  test('is used at once, before the server has said a word', async (context) => {
    const { sockets, connections } = await scene(context)
    connections.begin()
    assert.equal(await answerTo(connections.open('/', get)), 'hello')
    assert.equal(sockets.length, 1)
  })
  test('and is lost is replaced by another', async (context) => {
    const { server, sockets, connections } = await scene(context)
    connections.begin()
    await once(server, 'secureConnection')
    sockets[0]!.resetAndDestroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(await answerTo(connections.open('/', get)), 'hello')
    assert.equal(sockets.length, 2)
  })
  test('and cannot be made fails where the request does', async (context) => {
    const { server, connections } = await scene(context)
    server.close()
    connections.begin()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await assert.rejects(answerTo(connections.open('/', get)), { code: 'ECONNREFUSED' })
  })
  test('is closed with all others', async (context) => {
    const { server, sockets, connections } = await scene(context)
    connections.begin()
    await once(server, 'secureConnection')
    connections.close()
    await once(sockets[0]!, 'close')
  })
  test('knows the server by its authority, as every other does', async (context) => {
    const { server } = await scene(context)
    const { port } = server.address() as AddressInfo
    const strangers = new Connections({ server: `https://127.0.0.1:${port}` })
    strangers.begin()
    await assert.rejects(answerTo(strangers.open('/', get)), /self.signed certificate|unable to verify/)
    strangers.close()
  })
})
