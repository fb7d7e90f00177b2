import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { describe, test } from 'node:test'
import { testAuthority, testServerCertificate } from '../../testing/servers/https-server.js'
import { ServerConnections } from './server-connections.js'

interface TestContext {
  after(run: () => void): void
}

/** Starts a server, and creates connections to it. */
async function startServer(context: TestContext) {
  const sockets: Socket[] = []
  const server = createServer(testServerCertificate, (_, response) => response.end('hello'))
  server.on('connection', (socket: Socket) => sockets.push(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connections = new ServerConnections({ server: `https://127.0.0.1:${port}`, authority: testAuthority.cert })
  context.after(() => {
    connections.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { server, sockets, connections }
}

async function get(connections: ServerConnections): Promise<string> {
  return (await connections.send('/', {})).text()
}

describe('a connection that is opened before there is a request', () => {
  test('is used by the first request', async (context) => {
    const { server, sockets, connections } = await startServer(context)
    connections.preconnect()
    await once(server, 'secureConnection')
    assert.equal(await get(connections), 'hello')
    assert.equal(await get(connections), 'hello')
    assert.equal(sockets.length, 1)
  })
  test('is used even before the handshake is complete', async (context) => {
    const { sockets, connections } = await startServer(context)
    connections.preconnect()
    assert.equal(await get(connections), 'hello')
    assert.equal(sockets.length, 1)
  })
  test('is replaced if it is lost', async (context) => {
    const { server, sockets, connections } = await startServer(context)
    connections.preconnect()
    await once(server, 'secureConnection')
    sockets[0]!.resetAndDestroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(await get(connections), 'hello')
    assert.equal(sockets.length, 2)
  })
  test('reports its error with the request', async (context) => {
    const { server, connections } = await startServer(context)
    server.close()
    connections.preconnect()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await assert.rejects(get(connections), { code: 'ECONNREFUSED' })
  })
  test('is closed with all others', async (context) => {
    const { server, sockets, connections } = await startServer(context)
    connections.preconnect()
    await once(server, 'secureConnection')
    connections.close()
    await once(sockets[0]!, 'close')
  })
  test('verifies the certificate of the server', async (context) => {
    const { server } = await startServer(context)
    const { port } = server.address() as AddressInfo
    const strangers = new ServerConnections({ server: `https://127.0.0.1:${port}` })
    strangers.preconnect()
    await assert.rejects(get(strangers), /self.signed certificate|unable to verify/)
    strangers.close()
  })
})
