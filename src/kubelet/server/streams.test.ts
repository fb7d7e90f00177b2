import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { WebSocket, WebSocketServer } from 'ws'
import { KubeletServerHarness } from './kubelet-server.test.kit.js'

describe('a client of a command', () => {
  let harness: KubeletServerHarness

  before(async () => {
    harness = await KubeletServerHarness.start()
    await harness.runtime.pullImage({ image: { image: 'web' } })
    const annotations = { 'simulation.proa.dev/main': '{ exec: [{ stdout: "héllo", exitCode: 3 }] }' }
    await harness.run(await harness.pod('p', { containers: [{ name: 'main', image: 'web' }] }, annotations))
  })
  after(() => harness.close())

  function credential() {
    const pki = (name: string) => readFileSync(join(dirname(harness.api.kubeconfig), 'pki', name), 'utf8')
    return {
      ca: harness.certificate,
      cert: pki('apiserver-kubelet-client.crt'),
      key: pki('apiserver-kubelet-client.key'),
    }
  }

  function open(path: string, protocols: string[]): WebSocket {
    return new WebSocket(`wss://127.0.0.1:${harness.kubelet.port}${path}`, protocols, credential())
  }

  /** Sends a raw request, because a client library would not send a wrong one. */
  function ask(path: string, { method = 'GET', headers = {} } = {}) {
    const handshake = {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version': '13',
      ...headers,
    }
    const place = { host: '127.0.0.1', port: harness.kubelet.port, path, method, agent: false as const }
    return request({ ...place, ...credential(), headers: handshake }).end()
  }

  /** Redirects all streams to that server until the returned function is called. */
  async function streamTo(server: Server): Promise<() => void> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { exec, portForward } = harness.runtime
    Object.assign(harness.runtime, { exec: async () => ({ url }), portForward: async () => ({ url }) })
    return () => {
      Object.assign(harness.runtime, { exec, portForward })
      server.close()
    }
  }

  const command = '/exec/default/p/main?command=ls&output=1'
  const ports = '/portForward/default/p'
  const tunnel = 'SPDY/3.1+portforward.k8s.io'

  async function heard(
    protocols: string[],
  ): Promise<{ readonly protocol: string; readonly messages: readonly Buffer[] }> {
    const socket = open('/exec/default/p/main?command=ls&output=1&error=1', protocols)
    const messages: Buffer[] = []
    socket.on('message', (data: Buffer) => messages.push(data))
    await once(socket, 'close')
    return { protocol: socket.protocol, messages }
  }

  async function refusal(path: string, protocols: string[]): Promise<string> {
    const [, response] = await once(open(path, protocols), 'unexpected-response')
    return `${response.statusCode} ${Buffer.concat(await response.toArray())}`
  }

  test('uses the newest protocol that both support', async () => {
    for (const [offered, chosen] of [
      [['v4.channel.k8s.io', 'v5.channel.k8s.io'], 'v5.channel.k8s.io'],
      [['channel.k8s.io', 'v4.channel.k8s.io'], 'v4.channel.k8s.io'],
    ] as const) {
      const { protocol, messages } = await heard([...offered])
      assert.equal(protocol, chosen)
      assert.deepEqual(
        messages.slice(0, 2).map((message) => [message[0], message.subarray(1).toString()]),
        [
          [1, ''],
          [1, 'héllo'],
        ],
      )
      const status = JSON.parse(messages[2]!.subarray(1).toString())
      assert.deepEqual([messages[2]![0], status.details.causes[0].message], [3, '3'])
    }
  })

  test('may use the text protocol', async () => {
    const { messages } = await heard(['v4.base64.channel.k8s.io'])
    const [, said] = messages.map(String)
    assert.deepEqual([said!.charAt(0), Buffer.from(said!.slice(1), 'base64').toString()], ['1', 'héllo'])
  })

  test('gets errors before the upgrade', async () => {
    const v5 = ['v5.channel.k8s.io']
    assert.match(
      await refusal('/exec/default/p/main?command=ls&output=1', ['chat']),
      /^400 none of the protocols \[chat\]/,
    )
    assert.equal(
      await refusal('/exec/default/p/main?command=ls', v5),
      '400 you must specify at least 1 of stdin, stdout, stderr',
    )
    assert.equal(await refusal('/exec/default/none/main?command=ls&output=1', v5), '404 pod does not exist')
    assert.equal(await refusal('/exec/default/p/none?command=ls&output=1', v5), '500 container not found ("none")')
    assert.equal(await refusal('/exec/default/p?command=ls&output=1', v5), '404 404: Page Not Found')
  })

  test('does not take a broken runtime connection for success', async () => {
    const rude = createServer()
    const sockets = new WebSocketServer({ server: rude, handleProtocols: () => 'v5.channel.k8s.io' })
    sockets.on('connection', (socket) => socket.terminate())
    const restore = await streamTo(rude)
    const socket = open('/exec/default/p/main?command=ls&output=1', ['v5.channel.k8s.io'])
    const [code] = await once(socket, 'close')
    assert.equal(code, 1011)
    restore()
  })

  test('with an invalid handshake is rejected before the runtime is called', { timeout: 10_000 }, async () => {
    let asked = 0
    const restore = await streamTo(createServer().on('upgrade', () => asked++))
    for (const [path, protocol] of [
      [command, 'v5.channel.k8s.io'],
      [ports, tunnel],
    ] as const)
      for (const [wrong, code] of [
        [{ method: 'POST' }, 405],
        [{ headers: { 'Sec-WebSocket-Key': 'short' } }, 400],
        [{ headers: { 'Sec-WebSocket-Version': '12' } }, 400],
      ] as const) {
        const headers = { 'Sec-WebSocket-Protocol': protocol, ...('headers' in wrong && wrong.headers) }
        const [response] = await once(ask(path, { ...wrong, headers }), 'response')
        assert.equal(response.statusCode, code)
        response.resume()
      }
    assert.equal(asked, 0)
    restore()
  })

  test('may offer a protocol twice', async () => {
    const headers = { 'Sec-WebSocket-Protocol': 'v4.channel.k8s.io, v4.channel.k8s.io' }
    const [response, socket] = await once(ask(command, { headers }), 'upgrade')
    assert.equal(response.headers['sec-websocket-protocol'], 'v4.channel.k8s.io')
    socket.destroy()
  })

  test('that disconnects early leaves nothing open in the runtime', { timeout: 10_000 }, async () => {
    for (const [path, protocol] of [
      [command, 'v5.channel.k8s.io'],
      [ports, tunnel],
    ] as const) {
      const slow = createServer()
      const sockets = new WebSocketServer({ noServer: true, handleProtocols: () => protocol })
      const restore = await streamTo(slow)
      const client = ask(path, { headers: { 'Sec-WebSocket-Protocol': protocol } }).on('error', () => {})
      const [incoming, socket, head] = await once(slow, 'upgrade')
      const closed = new Promise((resolve) =>
        socket
          .on('error', () => {})
          .once('end', resolve)
          .once('close', resolve),
      )
      client.destroy()
      await new Promise((resolve) => setTimeout(resolve, 50)) // until the kubelet notices it
      if (path === command) sockets.handleUpgrade(incoming, socket, head, () => {})
      else socket.resume().write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n')
      await closed
      restore()
    }
  })
})
