import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createGzip, gzipSync } from 'node:zlib'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../client.js'
import { failure } from '../kubeconfig/kubeconfig.test.kit.js'
import { ConnectionLostError } from '../transport.js'
import { httpsTransport } from './https-transport.js'
import { object, scene } from './https-transport.test.kit.js'
import { RequestTimeoutError } from './request-timeout.js'

const configMaps = ({ client }: { readonly client: Client }) => client.resource(ConfigMap).in('default')

test('connections are reused', async (context) => {
  const world = await scene(context, (response) => response.end(object('a')))
  for (let i = 0; i < 5; i++) await configMaps(world).get('a')
  assert.equal(world.connections(), 1)
})

describe('compressed responses', () => {
  test('are requested and decoded', async (context) => {
    const world = await scene(context, (response, { headers }) => {
      assert.equal(headers['accept-encoding'], 'gzip')
      response.setHeader('content-encoding', 'gzip').end(gzipSync(object('packed')))
    })
    assert.equal((await configMaps(world).get('a')).metadata.name, 'packed')
  })
  test('are not requested if compression is disabled', async (context) => {
    const answer = (response: import('node:http').ServerResponse, { headers }: import('node:http').IncomingMessage) => {
      assert.equal(headers['accept-encoding'], undefined)
      response.end(object('plain'))
    }
    const world = await scene(context, answer, { compress: false })
    assert.equal((await configMaps(world).get('a')).metadata.name, 'plain')
  })
  test('of a watch are decoded event by event', async (context) => {
    const world = await scene(context, (response) => {
      response.setHeader('content-encoding', 'gzip')
      const packing = createGzip()
      packing.pipe(response)
      packing.write(`{"type":"ADDED","object":${object('one')}}\n`)
      packing.flush()
    })
    for await (const { object: seen } of configMaps(world).watch()) {
      assert.equal(seen.metadata.name, 'one')
      break
    }
  })
})

describe('a reused connection that the server has closed', () => {
  /** Closes the connection under every request but the first and those on new connections. */
  const closing = (response: import('node:http').ServerResponse, count: number) =>
    count === 2 ? response.socket?.destroy() : response.end(object('a'))

  test('is replaced at once for a read', async (context) => {
    const world = await scene(context, (response, _, count) => closing(response, count), { clock: new VirtualClock() })
    await configMaps(world).get('a')
    assert.equal((await configMaps(world).get('a')).metadata.name, 'a')
    assert.deepEqual([world.asked.length, world.connections()], [3, 2])
  })
  test('is an error for a write', async (context) => {
    const world = await scene(context, (response, _, count) => closing(response, count), { clock: new VirtualClock() })
    await configMaps(world).get('a')
    await assert.rejects(configMaps(world).create({ metadata: { name: 'a' } }), ConnectionLostError)
    assert.equal(world.asked.length, 2)
  })
})

describe('a server that stops sending', () => {
  test('times out', async (context) => {
    const clock = new VirtualClock()
    const { waiting, reached } = arrival()
    const world = await scene(context, () => reached(), { clock, idleTimeout: 30_000 })
    const asked = configMaps(world).create({ metadata: { name: 'a' } })
    await waiting
    const given = assert.rejects(asked, { message: 'the server has sent nothing for 30 seconds' })
    await clock.advance('30s')
    await given
  })
  test('does not time out while it sends', async (context) => {
    const clock = new VirtualClock()
    const { waiting, reached } = arrival()
    let go = (_: string) => {}
    const world = await scene(
      context,
      (response) => {
        go = (text) => (text === '' ? response.end() : response.write(text))
        response.writeHead(200)
        go(object('a').slice(0, 5))
        reached()
      },
      { clock, idleTimeout: 30_000 },
    )
    const asked = configMaps(world).get('a')
    await waiting
    await turn()
    await clock.advance('20s')
    go(object('a').slice(5))
    await turn()
    await clock.advance('20s')
    go('')
    assert.equal((await asked).metadata.name, 'a')
  })
  test('does not end a watch', async (context) => {
    const clock = new VirtualClock()
    const { waiting, reached } = arrival()
    let say = () => {}
    const world = await scene(
      context,
      (response) => {
        response.writeHead(200).flushHeaders()
        say = () => response.write(`{"type":"ADDED","object":${object('late')}}\n`)
        reached()
      },
      { clock, idleTimeout: 30_000 },
    )
    const events = configMaps(world).watch()[Symbol.asyncIterator]()
    const first = events.next()
    await waiting
    await turn()
    await clock.advance('1h')
    say()
    assert.equal((await first).value.object.metadata.name, 'late')
    await events.return?.()
    assert.equal(clock.pending, 0)
  })
})

test('a running request can be aborted', async (context) => {
  const { waiting, reached } = arrival()
  const clock = new VirtualClock()
  const world = await scene(context, () => reached(), { clock })
  const stopping = new AbortController()
  const asked = configMaps(world).create({ metadata: { name: 'a' } }, { signal: stopping.signal })
  await waiting
  const reason = new Error('enough')
  stopping.abort(reason)
  await assert.rejects(asked, reason)
  assert.equal(clock.pending, 0)
})

test('a running response can be aborted', async (context) => {
  const { waiting, reached } = arrival()
  const world = await scene(context, (response) => {
    response.write('{')
    reached()
  })
  const stopping = new AbortController()
  const asked = configMaps(world).get('a', { signal: stopping.signal })
  await waiting
  await turn()
  const reason = new Error('enough')
  stopping.abort(reason)
  await assert.rejects(asked, reason)
})

describe('a request timeout', () => {
  test('ends a request, and is sent to the server', async (context) => {
    const clock = new VirtualClock()
    const { waiting, reached } = arrival()
    const world = await scene(context, () => reached(), { clock, timeout: 5000 })
    const asked = configMaps(world).get('a')
    await waiting
    const given = assert.rejects(asked, RequestTimeoutError)
    await clock.advance('5s')
    await given
    assert.deepEqual(world.asked, ['GET /api/v1/namespaces/default/configmaps/a?timeout=5s'])
    assert.equal(clock.pending, 0)
  })
  test('ends a watch without an error', async (context) => {
    const clock = new VirtualClock()
    const world = await scene(
      context,
      (response) => void response.write(`{"type":"ADDED","object":${object('a')}}\n`),
      {
        clock,
        timeout: 5000,
      },
    )
    const seen: string[] = []
    for await (const { object: each } of configMaps(world).watch()) {
      seen.push(each.metadata.name!)
      void clock.advance('5s')
    }
    assert.deepEqual(seen, ['a'])
    assert.equal(clock.pending, 0)
  })
})

describe('a closed client', () => {
  test('sends nothing more, and running requests fail', async (context) => {
    const { waiting, reached } = arrival()
    const world = await scene(context, () => reached(), { clock: new VirtualClock() })
    const asked = configMaps(world).create({ metadata: { name: 'a' } })
    await waiting
    world.client.close()
    await assert.rejects(asked, { message: 'the client is closed' })
    await assert.rejects(configMaps(world).get('a'), { message: 'the client is closed' })
  })
  test('ends its watches', async (context) => {
    const world = await scene(context, (response) => void response.write(`{"type":"ADDED","object":${object('a')}}\n`))
    let count = 0
    for await (const _ of configMaps(world).watch()) {
      count++
      world.client.close()
    }
    assert.equal(count, 1)
  })
})

describe('no error contains a secret', () => {
  const secret = 'secret-of-jane'
  const wrong = `{"data": {"password": "${secret}", }}`
  test('of a response that cannot be decoded', async (context) => {
    const world = await scene(context, (response) => response.end(wrong))
    assert.equal(await failure(() => configMaps(world).get('a')), 'the response of the server is not JSON')
  })
  test('of a watch that cannot be decoded', async (context) => {
    const world = await scene(context, (response) => response.end(`${wrong}\n`))
    const message = await failure(() => configMaps(world).watch()[Symbol.asyncIterator]().next())
    assert.equal(message, 'the server sent an event that is not JSON')
  })
  test('of a request that cannot be sent', async () => {
    const unreachable = { server: 'http://127.0.0.1:1', token: secret }
    for (const options of [unreachable, { ...unreachable, token: `${secret}\n` }]) {
      const client = new Client(httpsTransport(options))
      const error = await client.raw('/').then(
        () => assert.fail('nobody listens there'),
        (thrown: Error) => thrown,
      )
      assert.doesNotMatch(`${error.message} ${error.stack} ${JSON.stringify(error)}`, new RegExp(secret))
    }
  })
})

function arrival(): { readonly waiting: Promise<void>; readonly reached: () => void } {
  let reached = () => {}
  const waiting = new Promise<void>((resolve) => {
    reached = resolve
  })
  return { waiting, reached: () => reached() }
}

/** Long enough for what was written to a socket in this process to be read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30))
}
