import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, test } from 'node:test'
import { VirtualClock } from '../../base/virtual-clock.js'
import { keepAliveAgents, sendHttp, UnexpectedUpgradeError } from './http-client.js'
import { ResponseTooLongError } from './http-response.js'

interface TestContext {
  after(run: () => void): void
}

/** Starts a server that passes each request, and its number, to `respond`. Returns its URL. */
async function startServer(
  context: TestContext,
  respond: (socket: Socket, number: number) => void,
): Promise<{ readonly url: string; readonly sockets: Set<Socket> }> {
  const sockets = new Set<Socket>()
  let requests = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', () => respond(socket, ++requests))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets }
}

const switching = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: odd\r\n\r\n'
const hello = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
const endless = 'HTTP/1.1 200 OK\r\n\r\nhel'

describe('an HTTP client', () => {
  test('rejects an upgrade that was not requested, and closes the connection', async (context) => {
    const { url, sockets } = await startServer(context, (socket) => socket.write(switching))
    await assert.rejects(sendHttp({ method: 'POST', url, body: '{}' }), UnexpectedUpgradeError)
    const [socket] = sockets
    if (!socket!.destroyed) await once(socket!, 'close')
  })

  test('hands over the connection of an upgrade that was requested', async (context) => {
    const { url } = await startServer(context, (socket) => socket.write(`${switching}early`))
    const headers = { connection: 'Upgrade', upgrade: 'odd' }
    const { status, upgraded } = await sendHttp({ url, headers, allowUpgrade: true })
    assert.deepEqual([status, upgraded!.head.toString()], [101, 'early'])
    upgraded!.socket.destroy()
  })

  test('rejects a body that is too long, and truncates one on demand', async (context) => {
    const { url } = await startServer(context, (socket) => socket.write(hello))
    await assert.rejects((await sendHttp({ url })).text(4), ResponseTooLongError)
    assert.equal((await (await sendHttp({ url })).prefix(4)).toString(), 'hell')
    assert.equal(await (await sendHttp({ url })).text(5), 'hello')
  })

  test('sends the length of a body with every method', async (context) => {
    let received = ''
    const { url, sockets } = await startServer(context, (socket) => socket.write(hello))
    const sent = sendHttp({ method: 'DELETE', url, body: 'bytes' })
    while (sockets.size === 0) await new Promise(setImmediate)
    ;[...sockets][0]!.on('data', (data) => {
      received += data
    })
    await sent
    assert.match(received, /content-length: 5\r\n/i)
  })

  test('repeats a request whose reused connection is closed, if it may', async (context) => {
    const { url, sockets } = await startServer(context, (socket, number) =>
      number === 2 || number === 5 ? socket.destroy() : socket.write(hello),
    )
    const agent = keepAliveAgents()
    const get = (isRepeatable: boolean) => sendHttp({ url, agent, isRepeatable }).then((response) => response.text())
    assert.equal(await get(true), 'hello')
    assert.equal(await get(true), 'hello') // requests 2 and 3
    assert.equal(sockets.size, 2)
    assert.equal(await get(false), 'hello')
    await assert.rejects(get(false), { code: 'ECONNRESET' })
  })

  test('fails with the reason of a signal, before and within the response', async (context) => {
    const reason = new Error('enough')
    const silent = await startServer(context, () => {})
    const before = new AbortController()
    const sent = sendHttp({ url: silent.url, signals: [before.signal] })
    before.abort(reason)
    await assert.rejects(sent, reason)
    const { url } = await startServer(context, (socket) => socket.write(endless))
    const within = new AbortController()
    const text = (await sendHttp({ url, signals: [within.signal] })).text()
    within.abort(reason)
    await assert.rejects(text, reason)
    await assert.rejects(sendHttp({ url, signals: [within.signal] }), reason)
  })

  test('does not end the process if an aborted body has no reader', async (context) => {
    const { url } = await startServer(context, (socket) => socket.write(endless))
    const abort = new AbortController()
    const { body } = await sendHttp({ url, signals: [abort.signal] })
    abort.abort(new Error('enough'))
    if (!body.closed) await once(body, 'close').catch(() => {})
  })

  test('fails after its timeout, and after its idle timeout', async (context) => {
    const { url } = await startServer(context, (socket) => socket.write(endless))
    const clock = new VirtualClock()
    const limit = { clock, milliseconds: 1000, error: () => new Error('late') }
    for (const timeouts of [{ timeout: limit }, { idleTimeout: limit }]) {
      const text = (await sendHttp({ url, ...timeouts })).text()
      const failed = assert.rejects(text, /late/)
      await clock.advance('2s')
      await failed
    }
  })
})
