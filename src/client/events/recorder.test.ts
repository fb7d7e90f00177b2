import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Event } from '../../api/core/v1/event.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { forbidden, tooManyRequests } from '../../api/errors.js'
import { type Environment, environment } from '../../base/environment.js'
import { type LogRecord, logger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { Client } from '../client.js'
import type { ClientRequest, Transport } from '../transport.js'
import type { Occurrence } from './event-recorder.js'
import { eventRecorder } from './recorder.js'

const source = { component: 'tester', host: 'machine' }
const about = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '7' },
}
const created: Occurrence = { about, type: 'Normal', reason: 'Created', message: 'Created pod: web-1' }

test('an Event has all fields that upstream writes', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  await using recorder = eventRecorder(client, source, environment())
  const annotations = { note: 'yes' }
  recorder.record({ ...created, fieldPath: 'spec.containers{web}', annotations })
  await recorder.flush()
  const [event, ...more] = (await client.resource(Event).in('default').list()).items
  assert.ok(event)
  assert.equal(more.length, 0)
  assert.match(event.metadata.name!, /^web\.[0-9a-f]{16}$/)
  assert.deepEqual(event.metadata.annotations, annotations)
  assert.deepEqual(event.involvedObject, {
    kind: 'Pod',
    namespace: 'default',
    name: 'web',
    uid: 'u1',
    apiVersion: 'v1',
    resourceVersion: '7',
    fieldPath: 'spec.containers{web}',
  })
  assert.match(event.firstTimestamp!, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const { reason, message, source: from, firstTimestamp, lastTimestamp, count, type } = event
  assert.deepEqual(
    { reason, message, source: from, lastTimestamp, count, type },
    { reason: 'Created', message: created.message, source, lastTimestamp: firstTimestamp, count: 1, type: 'Normal' },
  )
  assert.deepEqual([event.reportingComponent, event.reportingInstance], ['tester', 'machine'])
})

test('an Event about a cluster-scoped object is in the namespace default', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  await using recorder = eventRecorder(client, source, environment())
  const namespace = await client.resource(Namespace).get('kube-system')
  recorder.record({ ...created, about: namespace })
  await recorder.flush()
  const [event] = (await client.resource(Event).in('default').list()).items
  assert.deepEqual([event?.involvedObject.kind, event?.involvedObject.namespace], ['Namespace', undefined])
})

test('a repeated event is counted, even if the server has deleted the first Event', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  await using recorder = eventRecorder(client, source, environment())
  const events = client.resource(Event).in('default')
  const only = async () => {
    await recorder.flush()
    const { items } = await events.list()
    assert.equal(items.length, 1)
    return items[0]!
  }
  for (let i = 0; i < 3; i++) recorder.record(created)
  const { metadata, count } = await only()
  assert.equal(count, 3)
  await events.delete(metadata.name!)
  recorder.record(created)
  const again = await only()
  assert.deepEqual([again.count, again.metadata.name], [4, metadata.name])
})

test('events in a terminating namespace are dropped silently', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  const records: LogRecord[] = []
  const log = logger({ now: () => 0, write: (record) => records.push(record) })
  await using recorder = eventRecorder(client, source, environment({ log }))
  await client.resource(Namespace).create({ metadata: { name: 'going' } })
  await client
    .resource(ServiceAccount)
    .in('going')
    .create({ metadata: { name: 'held', finalizers: ['a.b/c'] } })
  await client.resource(Namespace).delete('going')
  recorder.record({ ...created, about: { ...about, metadata: { ...about.metadata, namespace: 'going' } } })
  await recorder.flush()
  assert.equal(records.length, 0)
  recorder.record({ ...created, about: { ...about, metadata: { ...about.metadata, namespace: 'none' } } })
  await recorder.flush()
  assert.equal(records[0]?.message, 'event rejected by the server')
})

describe('an event recorder', () => {
  test('retries if the server cannot be reached, and drops the event after twelve attempts', async () => {
    const { clock, requests, client, surroundings } = world(() => {
      throw new Error('unreachable')
    })
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await clock.advance('10s')
    assert.equal(requests.length, 2)
    await clock.advance('10m')
    assert.equal(requests.length, 12)
    assert.equal(clock.pending, 0)
  })

  test('does not retry an event that the server rejects', async () => {
    const { clock, requests, client, surroundings } = world(() => {
      throw forbidden({ group: '', resource: 'events' }, '', 'no')
    })
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await clock.advance('10m')
    assert.equal(requests.length, 1)
    await recorder.flush()
  })

  test('waits for the Retry-After of the server', async () => {
    let isBusy = true
    const { clock, requests, client, surroundings } = world(() => {
      if (isBusy) throw tooManyRequests('busy', 7)
    })
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await clock.advance('6s')
    isBusy = false
    assert.equal(requests.length, 1)
    await clock.advance('1s')
    assert.equal(requests.length, 2)
    await recorder.flush()
  })

  test('gives up on a response that does not come', async () => {
    const { clock, requests, client, surroundings } = world(() => new Promise(() => {}))
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await clock.advance('40s')
    assert.equal(requests.length, 2)
    assert.equal(requests[0]?.signal?.aborted, true)
    await recorder.close()
    assert.equal(clock.pending, 0)
  })

  test('queues at most a thousand events', async () => {
    const { clock, requests, client, surroundings, records } = world(() => new Promise(() => {}))
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await clock.settle()
    for (let i = 0; i < 1005; i++) recorder.record(created)
    assert.equal(records.filter(({ message }) => message === 'event queue full').length, 5)
    assert.match(await surroundings.metrics.text(), /event_recorder_dropped_total 5/)
    assert.equal(requests.length, 1)
    await recorder.close()
  })

  test('does not throw for invalid input', () => {
    const { client, surroundings, records } = world(() => {})
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record({ ...created, about: { metadata: { name: 'kindless' } } })
    assert.equal(records[0]?.message, 'invalid event')
  })

  test('writes nothing after it is closed', async () => {
    const { clock, requests, client, surroundings } = world(() => {})
    const recorder = eventRecorder(client, source, surroundings)
    recorder.record(created)
    await recorder.close()
    recorder.record(created)
    await clock.advance('1m')
    assert.deepEqual(requests, [])
  })
})

/** A server with a handler of the test. */
function world(serve: (request: ClientRequest) => void | Promise<void>) {
  const clock = new VirtualClock()
  const requests: ClientRequest[] = []
  const records: LogRecord[] = []
  const log = logger({ now: () => clock.now(), write: (record) => records.push(record) })
  const surroundings: Environment = environment({ clock, random: seededRandom(1), log })
  const transport: Transport = {
    async send(request) {
      requests.push(request)
      await serve(request)
      return { response: { is: 'object', code: 201, object: { object: request.body as never } }, warnings: [] }
    },
    close: () => {},
  }
  return { clock, requests, records, surroundings, client: new Client(transport) }
}
