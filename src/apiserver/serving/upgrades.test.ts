import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import WebSocket from 'ws'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'

describe('a watch over a WebSocket', () => {
  let server: TestApiServer
  before(async () => {
    server = await startTestApiServer()
  })
  after(() => server.close())

  const path = '/api/v1/namespaces/default/configmaps?watch=1'
  const connect = (where: string, headers: Record<string, string>, protocols: string[] = []) =>
    new WebSocket(server.url.replace('https', 'wss') + where, protocols, { ca: server.authority, headers })
  const admin = () => ({ authorization: `Bearer ${server.token}` })

  async function create(name: string): Promise<void> {
    const { request } = await import('node:https')
    const sent = request(`${server.url}/api/v1/namespaces/default/configmaps`, {
      method: 'POST',
      ca: server.authority,
      headers: { ...admin(), 'content-type': 'application/json' },
    })
    sent.end(JSON.stringify({ metadata: { name } }))
    const [response] = await once(sent, 'response')
    response.resume()
    assert.equal(response.statusCode, 201)
  }

  test('brings each event as a message', async () => {
    const client = connect(path, admin())
    const messages: { type: string; object: { metadata: { name: string } } }[] = []
    client.on('message', (data) => messages.push(JSON.parse(String(data))))
    await once(client, 'open')
    await create('first')
    await create('second')
    while (messages.length < 2) await once(client, 'message')
    assert.deepEqual(
      messages.map(({ type, object }) => `${type} ${object.metadata.name}`),
      ['ADDED first', 'ADDED second'],
    )
    client.close()
    await once(client, 'close')
  })

  test('takes its token as a protocol, and tells nobody', async () => {
    const secret = `base64url.bearer.authorization.k8s.io.${Buffer.from(server.token).toString('base64url')}`
    const client = connect(path, {}, [secret, 'v4.channel.k8s.io'])
    await once(client, 'open')
    assert.equal(client.protocol, 'v4.channel.k8s.io')
    client.close()
  })

  const refusal = async (client: WebSocket): Promise<number> => {
    const [, response] = await once(client, 'unexpected-response')
    response.resume()
    return response.statusCode
  }

  test('is rejected as any request is', async () => {
    assert.equal(await refusal(connect(path, { authorization: 'Bearer wrong' })), 401)
    assert.equal(await refusal(connect(path, {})), 403)
    assert.equal(await refusal(connect('/api/v1/nothing?watch=1', admin())), 404)
    assert.equal(await refusal(connect('/api/v1/namespaces/default/configmaps', admin())), 200, 'a list is no watch')
  })

  /** Says something on a connection of its own, and gives what comes back until the server hangs up. */
  const said = async (lines: readonly string[]): Promise<string> => {
    const { hostname: host, port } = new URL(server.url)
    const socket = connectTls({ host, port: Number(port), ca: server.authority })
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(
      `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n${lines.join('\r\n')}\r\n\r\n`,
    )
    let text = ''
    for await (const chunk of socket) text += chunk
    return text
  }

  test('that is asked for in the wrong way is rejected, and over', async () => {
    const token = `authorization: Bearer ${server.token}`
    assert.match(await said([token]), /^HTTP\/1.1 400 Bad Request\r\n[\s\S]*Sec-WebSocket-Key/)
    assert.match(await said([token, 'sec-websocket-key: short']), /^HTTP\/1.1 400 /)
    const metrics = await read('/metrics')
    assert.doesNotMatch(metrics, /^apiserver_longrunning_requests\{.*verb="WATCH".*\} [1-9]/m)
  })

  async function read(where: string): Promise<string> {
    const { request } = await import('node:https')
    const sent = request(server.url + where, { ca: server.authority, headers: admin() })
    sent.end()
    const [response] = await once(sent, 'response')
    return String(Buffer.concat(await response.toArray()))
  }

  test('is no place for the client to speak at length', async () => {
    const client = connect(path, admin())
    await once(client, 'open')
    client.on('error', () => {})
    client.send('x'.repeat(100_000))
    const [code] = await once(client, 'close')
    assert.equal(code, 1009)
  })

  test('answers who asks whether it is still there', async () => {
    const client = connect(path, admin())
    await once(client, 'open')
    client.ping('still there?')
    const [answer] = await once(client, 'pong')
    assert.equal(String(answer), 'still there?')
    client.close()
  })

  test('ends in order when the server does', async () => {
    const client = connect(path, admin())
    await once(client, 'open')
    server.api.endWatches()
    const [code] = await once(client, 'close')
    assert.equal(code, 1005)
  })
})
