import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { conflict, internalError, serverTimeout, tooManyRequests } from '../api/errors.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { Client } from './client.js'
import { object, scene } from './https/https-transport.test.kit.js'
import { ConnectionLostError, type Transport, type TransportResult } from './transport.js'

const pods = { group: '', resource: 'pods' }
const done: TransportResult = {
  response: { is: 'object', code: 200, object: { object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} } } },
  warnings: [],
}

/** A transport that fails with one error after the other, and then succeeds; and when it was asked. */
function failing(clock: VirtualClock, ...errors: readonly Error[]): { transport: Transport; times: number[] } {
  const times: number[] = []
  const send = async () => {
    times.push(clock.monotonic())
    const error = errors[times.length - 1]
    if (error) throw error
    return done
  }
  return { times, transport: { send, close: () => {} } }
}

async function tried(verb: 'get' | 'create', ...errors: readonly Error[]) {
  const clock = new VirtualClock()
  const { transport, times } = failing(clock, ...errors)
  const configMaps = new Client(transport, { clock }).resource(ConfigMap).in('default')
  const asked = verb === 'get' ? configMaps.get('a') : configMaps.create({ metadata: { name: 'a' } })
  const outcome = asked.then(
    () => 'done',
    (error: Error) => error,
  )
  await clock.advance('1h')
  return { times, outcome: await outcome, pending: clock.pending }
}

describe('a request is retried', () => {
  test('with any method, if the server sends Retry-After', async () => {
    const busy = tooManyRequests('busy', 3)
    const slow = serverTimeout(pods, 'create', 2)
    for (const verb of ['get', 'create'] as const) {
      const { times, outcome } = await tried(verb, busy, slow)
      assert.deepEqual([times, outcome], [[0, 3000, 5000], 'done'])
    }
  })
  test('after a second, if it only reads and the connection broke', async () => {
    const { times, outcome } = await tried('get', new ConnectionLostError('reset'))
    assert.deepEqual([times, outcome], [[0, 1000], 'done'])
  })
  test('at most ten times', async () => {
    const busy = tooManyRequests('busy', 1)
    const { times, outcome } = await tried('get', ...Array.from({ length: 20 }, () => busy))
    assert.deepEqual([times.length, outcome], [11, busy])
  })
})

describe('a request is not retried', () => {
  const table = {
    'if it writes and the connection broke: it may have taken effect': ['create', new ConnectionLostError('reset')],
    'if nothing listens': ['get', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })],
    'when the server does not say after what time': ['get', tooManyRequests('busy', 0)],
    'when it is refused for good': ['get', conflict(pods, 'a', 'why')],
    'after an internal error': ['get', internalError('oh')],
  } as const
  for (const [name, [verb, error]] of Object.entries(table))
    test(name, async () => {
      const { times, outcome } = await tried(verb, error)
      assert.deepEqual([times, outcome], [[0], error])
    })
})

test('a wait for a retry can be aborted', async () => {
  const clock = new VirtualClock()
  const { transport, times } = failing(clock, tooManyRequests('busy', 60))
  const stopping = new AbortController()
  const asked = new Client(transport, { clock }).resource(ConfigMap).in('default').get('a', { signal: stopping.signal })
  await clock.advance('10s')
  const reason = new Error('enough')
  stopping.abort(reason)
  await assert.rejects(asked, reason)
  assert.deepEqual([times.length, clock.pending], [1, 0])
})

test('a server, or a proxy before it, may reject a request twice', async (context) => {
  const clock = new VirtualClock()
  const statuses = [429, 503]
  const world = await scene(
    context,
    (response, _, count) => {
      const status = statuses[count - 1]
      if (status) response.writeHead(status, { 'retry-after': '2' }).end('busy')
      else response.writeHead(201).end(object('a'))
    },
    { clock },
  )
  const asked = world.client
    .resource(ConfigMap)
    .in('default')
    .create({ metadata: { name: 'a' } })
  let isDone = false
  const finished = asked.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    if (clock.pending > 0 && !isDone) await clock.advance('1s')
  }
  assert.equal((await finished).metadata.name, 'a')
  assert.equal(world.asked.length, 3)
})
