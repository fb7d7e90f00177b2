import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { connect } from 'node:http2'
import { Agent, createServer, request, type Server } from 'node:https'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import WebSocket, { WebSocketServer } from 'ws'
import type { TestApiServer } from '../../../testing/servers/api-server.js'
import { sendOn, type TestResponse, testServerCertificate } from '../../../testing/servers/https-server.js'
import { adminHeaders, openPassage, prefix } from './proxy-path.test.kit.js'

describe('a backend', () => {
  let server: TestApiServer
  let backend: Server
  let handle: RequestListener
  before(async () => {
    backend = createServer(testServerCertificate, (incoming, response) => handle(incoming, response))
    server = await openPassage(backend)
  })
  after(async () => {
    await server.close()
    backend.closeAllConnections()
    backend.close()
  })

  async function begin(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: string,
  ): Promise<IncomingMessage> {
    const sent = request(server.url + path, {
      method,
      ca: server.authority,
      agent: new Agent({ keepAlive: false }),
      headers: { ...adminHeaders(server), ...headers },
    })
    sent.end(body)
    const [answer] = await once(sent, 'response')
    return answer
  }

  async function ask(...given: Parameters<typeof begin>): Promise<TestResponse> {
    const answer = await begin(...given)
    const bytes = Buffer.concat(await answer.toArray())
    return { status: answer.statusCode!, headers: answer.headers, bytes, text: bytes.toString() }
  }

  /** One request, as the backend gets it. */
  const seenBehind = async (...given: Parameters<typeof begin>) => {
    let seen: IncomingMessage | undefined
    let body = ''
    handle = async (incoming, response) => {
      seen = incoming
      body = String(Buffer.concat(await incoming.toArray()))
      response.end('seen')
    }
    const { status } = await ask(...given)
    assert.equal(status, 200)
    return { method: seen!.method, url: seen!.url, headers: seen!.headers, body }
  }

  test('sees the request and its origin, but not the user', async () => {
    const { method, url, headers, body } = await seenBehind(
      'POST',
      `${prefix}/a%20b/c%25?d=e&d=f`,
      {
        'impersonate-group': 'system:masters',
        'impersonate-user': 'jane',
        'x-own': 'own',
        cookie: 'k=v',
        te: 'trailers',
      },
      'the body',
    )
    assert.deepEqual([method, url, body], ['POST', '/a%20b/c%25?d=e&d=f', 'the body'])
    assert.deepEqual([headers['x-own'], headers.cookie], ['own', 'k=v'])
    assert.equal(headers.host, server.url.replace('https://', ''))
    assert.equal(headers['x-forwarded-uri'], `${prefix}/a%20b/c%25`)
    assert.equal(headers['x-forwarded-for'], '127.0.0.1')
    const secret = ['authorization', 'impersonate-group', 'impersonate-user', 'te']
    assert.deepEqual(
      secret.filter((name) => name in headers),
      [],
    )
  })

  const answering: RequestListener = (_, response) => {
    response.writeHead(418, [
      ...[
        'content-type',
        'text/x-own',
        'set-cookie',
        'a=1',
        'set-cookie',
        'b=2',
        'etag',
        '"x"',
        'x-name',
        'Jos\xc3\xa9',
      ],
      ...['access-control-allow-origin', '*', 'connection', 'x-hop', 'x-hop', 'gone', 'x-own', 'own'],
    ])
    response.end('short and stout')
  }
  const check = ({ status, headers, text }: TestResponse) => {
    assert.deepEqual([status, text], [418, 'short and stout'])
    assert.deepEqual([headers['content-type'], headers.etag, headers['x-own']], ['text/x-own', '"x"', 'own'])
    assert.deepEqual(headers['set-cookie'], ['a=1', 'b=2'])
    assert.equal(headers['x-name'], 'Jos\xc3\xa9')
    assert.deepEqual([headers['access-control-allow-origin'], headers['x-hop']], [undefined, undefined])
  }

  test('responds with its own status and headers', async () => {
    handle = answering
    check(await ask('GET', `${prefix}/tea`))
  })

  test('responds over HTTP/2 in the same way', async () => {
    handle = answering
    const session = connect(server.url, { ca: server.authority })
    check(await sendOn(session, { path: `${prefix}/tea`, headers: adminHeaders(server) }))
    session.close()
  })

  test('streams its response, and is disconnected when the client is', async () => {
    let left: Promise<unknown> | undefined
    handle = (_, response) => {
      response.write('first')
      left = once(response, 'close')
    }
    const answer = await begin('GET', `${prefix}/events`)
    const [piece] = await once(answer, 'data')
    assert.equal(String(piece), 'first')
    answer.destroy()
    await left
  })

  test('aborts the response for the client when it aborts', async () => {
    handle = (_, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('first')
      setTimeout(() => response.destroy(), 50)
    }
    const answer = await begin('GET', `${prefix}/half`)
    await assert.rejects(answer.toArray())
  })

  test('is not compressed by the proxy', async () => {
    handle = (_, response) => response.end(Buffer.alloc(300_000, 'x'))
    const { headers, bytes } = await ask('GET', `${prefix}/large`, { 'accept-encoding': 'gzip' })
    assert.deepEqual([headers['content-encoding'], headers['content-length']], [undefined, '300000'])
    assert.equal(bytes.length, 300_000)
  })

  test('stays compressed', async () => {
    handle = (_, response) => response.setHeader('content-encoding', 'gzip').end(gzipSync('packed'))
    const { headers, bytes } = await ask('GET', `${prefix}/packed`, { 'accept-encoding': 'gzip' })
    assert.equal(headers['content-encoding'], 'gzip')
    assert.equal(String(gunzipSync(bytes)), 'packed')
  })

  test('may send an empty response', async () => {
    handle = (incoming, response) => response.writeHead(incoming.url === '/none' ? 204 : 304).end()
    assert.deepEqual(
      [(await ask('DELETE', `${prefix}/none`)).status, (await ask('GET', `${prefix}/old`)).status],
      [204, 304],
    )
    handle = (_, response) => response.setHeader('content-length', 7).end()
    const { status, headers } = await ask('HEAD', `${prefix}/head`)
    assert.deepEqual([status, headers['content-length']], [200, '7'])
    assert.equal((await seenBehind('OPTIONS', `${prefix}/what`)).method, 'OPTIONS')
  })

  test('gets requests for its root with a slash', async () => {
    const { status, headers } = await ask('GET', `${prefix}?a=b`)
    assert.deepEqual([status, headers.location], [301, `${prefix}/?a=b`])
    assert.equal((await seenBehind('POST', `${prefix}?a=b`, {}, 'x')).url, '/?a=b')
  })

  test('redirects through the proxy', async () => {
    handle = (_, response) => response.writeHead(302, { location: '/login' }).end()
    const { status, headers } = await ask('GET', `${prefix}/`)
    assert.deepEqual([status, headers.location], [302, `${prefix}/login`])
  })

  test('sends pages whose links lead through the proxy, compressed or not', async () => {
    const page = '<a href="/login">é</a>'
    const expected = `<a href="${prefix}/login">é</a>`
    handle = (incoming, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      if (incoming.url === '/packed') response.setHeader('content-encoding', 'gzip').end(gzipSync(page))
      else response.end(page)
    }
    assert.equal((await ask('GET', `${prefix}/`)).text, expected)
    assert.equal(String(gunzipSync((await ask('GET', `${prefix}/packed`)).bytes)), expected)
    handle = (_, response) =>
      response.writeHead(200, { 'content-type': 'text/html', 'content-encoding': 'br' }).end('?')
    assert.equal((await ask('GET', `${prefix}/unknown`)).text, '?')
  })

  const dial = (path: string) =>
    new WebSocket(`${server.url.replace('https', 'wss')}${prefix}${path}`, ['own.protocol'], {
      ca: server.authority,
      headers: { authorization: `Bearer ${server.token}` },
    })

  test('may upgrade the connection', async () => {
    const sockets = new WebSocketServer({ noServer: true })
    let secret: string | undefined
    backend.once('upgrade', (incoming, socket, head) => {
      secret = incoming.headers.authorization
      sockets.handleUpgrade(incoming, socket, head, (client) =>
        client.on('message', (said) => client.send(`echo ${said}`)),
      )
    })
    const client = dial('/socket')
    await once(client, 'open')
    client.send('hello')
    const [heard] = await once(client, 'message')
    assert.equal(String(heard), 'echo hello')
    assert.deepEqual([client.protocol, secret], ['own.protocol', undefined])
    client.close()
    await once(client, 'close')
  })

  test('may reject an upgrade with its own message', async () => {
    backend.once('upgrade', (_, socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nx-own: own\r\ncontent-length: 5\r\n\r\nnever'),
    )
    const [, refusal] = await once(dial('/socket'), 'unexpected-response')
    const text = String(Buffer.concat(await refusal.toArray()))
    assert.deepEqual([refusal.statusCode, refusal.headers['x-own'], text], [403, 'own', 'never'])
  })

  test('must not respond to an upgrade request with success', async () => {
    backend.once('upgrade', (_, socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'))
    const [, refusal] = await once(dial('/socket'), 'unexpected-response')
    const text = String(Buffer.concat(await refusal.toArray()))
    assert.equal(refusal.statusCode, 500)
    assert.match(text, /invalid upgrade response: status code 200/)
  })
})
