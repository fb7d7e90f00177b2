import assert from 'node:assert/strict'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net'
import { after, describe, test } from 'node:test'
import { Server as GrpcServer, ServerCredentials } from '@grpc/grpc-js'
import type { Container } from '../../api/core/v1/container.js'
import { systemClock } from '../../base/clock.js'
import { environment } from '../../base/environment.js'
import { enumField, stringField } from '../../cri/interface/fields.js'
import { message } from '../../cri/interface/message.js'
import { issue } from '../../wire/x509/certificate.js'
import { containerPort } from './container-port.js'
import { httpGetOf } from './http-get.js'
import { networkActions } from './probe-actions.js'

const servers: { close(): unknown }[] = []
after(() => {
  clearInterval(alive)
  for (const server of servers) server.close()
})
const alive = setInterval(() => {}, 60_000) // timers of the clock do not keep the process alive

const actions = networkActions(systemClock)
const asking = { timeout: 5000, signal: new AbortController().signal }
const soon = { ...asking, timeout: 100 }

async function portOf(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

const web = (listener: RequestListener) => portOf(createHttp(listener))

describe('an HTTP probe', () => {
  const probe = async (port: number, path = '/', more = {}) => {
    const action = { port, path, scheme: 'HTTP', ...more } as const
    return actions.http(httpGetOf(action, { container, address: '127.0.0.1', agent: 'probe' }), asking)
  }
  const container = { name: 'c' } as Container

  test('sends its user agent and all headers of the pod', async () => {
    let heard: NodeJS.Dict<string | string[]> = {}
    const port = await web(({ headers }, response) => {
      heard = headers
      response.end('fine')
    })
    assert.deepEqual(await probe(port), { result: 'success', output: 'fine' })
    const { host, ...rest } = heard
    assert.deepEqual({ ...rest }, { 'user-agent': 'kube-probe/1.36', accept: '*/*', connection: 'close' })
    assert.equal(host, `127.0.0.1:${port}`)
    const httpHeaders = [
      { name: 'Host', value: 'web.example' },
      { name: 'User-agent', value: 'me' },
      { name: 'Accept', value: '' },
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
    ]
    await probe(port, '/', { httpHeaders })
    assert.deepEqual({ ...heard }, { host: 'web.example', 'user-agent': 'me', 'x-a': '1, 2', connection: 'close' })
  })

  test('accepts any header name, also __proto__', async () => {
    let heard: string[] = []
    const port = await web(({ rawHeaders }, response) => {
      heard = rawHeaders
      response.end()
    })
    const outcome = await probe(port, '/', { httpHeaders: [{ name: '__proto__', value: 'x' }] })
    assert.deepEqual([outcome.result, heard[heard.indexOf('__proto__') + 1]], ['success', 'x'])
  })

  test('requests the path with its query, rooted and escaped', async () => {
    const paths: string[] = []
    const port = await web(({ url = '' }, response) => {
      paths.push(url)
      response.end()
    })
    for (const path of ['', 'health?deep=1#x', '/a b/ü', '/a/../b']) await probe(port, path)
    assert.deepEqual(paths, ['/', '/health?deep=1', '/a%20b/%C3%BC', '/a/../b'])
  })

  test('succeeds below 400, and otherwise reports only the code', async () => {
    const port = await web(({ url }, response) => void response.writeHead(Number(url!.slice(1))).end('a secret'))
    assert.equal((await probe(port, '/204')).result, 'success')
    for (const code of [404, 500])
      assert.deepEqual(await probe(port, `/${code}`), {
        result: 'failure',
        output: `HTTP probe failed with statuscode: ${code}`,
      })
  })

  test('takes a protocol upgrade for a failure', { timeout: 10_000 }, async () => {
    const words = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\nhello'
    const port = await portOf(
      createTcp((socket) => void socket.on('error', () => {}).once('data', () => socket.write(words))),
    )
    assert.deepEqual(await probe(port), { result: 'failure', output: 'HTTP probe failed with statuscode: 101' })
  })

  test('follows redirects to the same host, and warns about others', async () => {
    const port = await web(({ url }, response) => {
      if (url === '/end') response.end('there')
      else if (url === '/far') response.writeHead(302, { location: 'http://far.example/' }).end('go away')
      else if (url === '/round') response.writeHead(307, { location: '/round' }).end()
      else response.writeHead(301, { location: '/end' }).end()
    })
    assert.deepEqual(await probe(port, '/begin'), { result: 'success', output: 'there' })
    assert.deepEqual(await probe(port, '/far'), {
      result: 'warning',
      output: 'Probe terminated redirects, Response body: go away',
    })
    assert.deepEqual(await probe(port, '/round'), {
      result: 'failure',
      output: `Get "http://127.0.0.1:${port}/round": stopped after 10 redirects`,
    })
  })

  test('leaves no connection open after a broken redirect', { timeout: 10_000 }, async () => {
    const words = 'HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 10\r\n\r\n'
    let closed: Promise<void> | undefined
    const port = await portOf(
      createTcp((socket) => {
        closed = new Promise((resolve) => socket.on('error', () => {}).once('close', () => resolve()))
        socket.once('data', () => socket.write(words))
      }),
    )
    assert.equal((await probe(port)).result, 'failure')
    await closed
  })

  test('reads at most 10 KiB', async () => {
    const port = await web((_, response) => void response.end('x'.repeat(100_000)))
    assert.equal((await probe(port)).output.length, 10_240)
  })

  test("reports connection errors in Go's words", async () => {
    const port = await web(() => {})
    const get = httpGetOf({ port, path: '/slow' }, { container, address: '127.0.0.1', agent: 'probe' })
    const late = `Get "http://127.0.0.1:${port}/slow": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`
    assert.deepEqual(await actions.http(get, soon), { result: 'failure', output: late })
    const free = await freePort()
    assert.equal(
      (await probe(free, '/x')).output,
      `Get "http://127.0.0.1:${free}/x": dial tcp 127.0.0.1:${free}: connect: connection refused`,
    )
    const rude = await portOf(createTcp((socket) => void socket.once('data', () => socket.end())))
    assert.equal((await probe(rude)).output, `Get "http://127.0.0.1:${rude}/": EOF`)
  })

  test('has no result if the response is interrupted', async () => {
    for (const length of ['Content-Length: 10\r\n', 'Transfer-Encoding: chunked\r\n', '']) {
      const words = `HTTP/1.1 200 OK\r\n${length}\r\n`
      const port = await portOf(
        createTcp(
          (socket) => void socket.on('error', () => {}).once('data', () => socket.write(`${words}4\r\nhalf\r\n`)),
        ),
      )
      const get = httpGetOf({ port }, { container, address: '127.0.0.1', agent: 'probe' })
      await assert.rejects(actions.http(get, soon), {
        state: 'failure',
        message: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
      })
    }
  })

  test('accepts any certificate, and reports a server without TLS', async () => {
    const surroundings = environment()
    const notAfter = surroundings.clock.now() + 3_600_000
    const pair = issue({ commonName: 'nobody', use: 'server', hosts: ['elsewhere'], notAfter }, surroundings)
    const port = await portOf(createHttps(pair, (_, response) => void response.end('safe')))
    assert.deepEqual(await probe(port, '/', { scheme: 'HTTPS' }), { result: 'success', output: 'safe' })
    const plain = await web((_, response) => void response.end())
    assert.equal(
      (await probe(plain, '/', { scheme: 'HTTPS' })).output,
      `Get "https://127.0.0.1:${plain}/": http: server gave HTTP response to HTTPS client`,
    )
  })
})

describe('a port', () => {
  const container = { name: 'c', ports: [{ name: 'web', containerPort: 8080 }] } as unknown as Container

  test('is a number, a name, or a number as text', () => {
    assert.deepEqual(
      [80, 'web', '81'].map((port) => containerPort(port, container)),
      [80, 8080, 81],
    )
    assert.throws(() => containerPort('db', container), /^Error: strconv\.Atoi: parsing "db": invalid syntax$/)
    assert.throws(() => containerPort(70_000, container), /^Error: invalid port number: 70000$/)
  })
})

describe('a TCP probe', () => {
  test('succeeds with a connection', async () => {
    const port = await portOf(createTcp())
    assert.deepEqual(await actions.tcp({ host: '127.0.0.1', port }, asking), { result: 'success', output: '' })
    const free = await freePort()
    const output = `dial tcp 127.0.0.1:${free}: connect: connection refused`
    assert.deepEqual(await actions.tcp({ host: '127.0.0.1', port: free }, asking), { result: 'failure', output })
  })
})

describe('a gRPC probe', () => {
  test('requests the health of a service', async () => {
    const target = { host: '127.0.0.1', port: await healthServer() }
    const probe = (service: string) => actions.grpc({ ...target, service }, asking)
    assert.deepEqual(await probe(''), { result: 'success', output: 'service healthy' })
    assert.deepEqual(await probe('sick'), {
      result: 'failure',
      output: 'service unhealthy (responded with "NOT_SERVING")',
    })
    assert.deepEqual(await probe('gone'), {
      result: 'failure',
      output: 'error: health rpc probe failed: rpc error: code = NotFound desc = unknown service',
    })
    assert.deepEqual(await actions.grpc({ ...target, service: 'slow' }, { ...asking, timeout: 1000 }), {
      result: 'failure',
      output: 'timeout: health rpc did not complete within 1s',
    })
  })

  test('reports a missing server, and one without the health protocol', async () => {
    const free = await freePort()
    assert.deepEqual(await actions.grpc({ host: '127.0.0.1', port: free, service: '' }, { ...asking, timeout: 200 }), {
      result: 'failure',
      output: `timeout: failed to connect service "127.0.0.1:${free}" within 200ms: context deadline exceeded`,
    })
    const port = await listening(new GrpcServer())
    const { output } = await actions.grpc({ host: '127.0.0.1', port, service: '' }, asking)
    assert.match(
      output,
      /^error: this server does not implement the grpc health protocol \(grpc\.health\.v1\.Health\): /,
    )
  })
})

async function healthServer(): Promise<number> {
  const Request = message({ service: stringField(1) })
  const Response = message({ status: enumField(1, ['UNKNOWN', 'SERVING', 'NOT_SERVING']) })
  const server = new GrpcServer()
  const definition = {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    requestSerialize: Request.encode,
    requestDeserialize: (bytes: Buffer) => Request.decode(bytes),
    responseSerialize: (value: { status: 'SERVING' | 'NOT_SERVING' }) => Response.encode(value),
    responseDeserialize: Response.decode,
  }
  server.addService({ check: definition } as never, {
    check(call: { request: { service: string } }, done: (error: object | null, value?: object) => void) {
      const { service } = call.request
      if (service === 'gone') return done({ code: 5, details: 'unknown service' })
      if (service !== 'slow') done(null, { status: service === 'sick' ? 'NOT_SERVING' : 'SERVING' })
    },
  })
  return listening(server)
}

function listening(server: GrpcServer): Promise<number> {
  servers.push({ close: () => server.forceShutdown() })
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  )
}

async function freePort(): Promise<number> {
  const server = createTcp()
  const port = await portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}
