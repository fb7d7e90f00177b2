import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { expired, invalid, tooManyRequests, unknown } from '../../api/errors.js'
import { seededRandom } from '../../base/random.js'
import type { TransportFault, WatchFault } from '../../testing/faults/faulty-transport.js'
import {
  ChangeRecorder,
  harnessNamespace,
  InformerHarness,
  RandomWriter,
} from '../../testing/faults/informer-harness.js'
import type { ClientRequest } from '../transport.js'
import { InformerClosedError } from './local-copy.js'
import { errorsIn, randomFault, recoveryTime, surviveTrouble } from './trouble.test.kit.js'

describe('an informer', () => {
  test('continues after a cut connection, and reports nothing twice', async () => {
    await using world = await InformerHarness.start()
    world.faultOf = watchesEnd('cut', 10_000)
    const informer = await world.synced()
    const fold = new ChangeRecorder(informer)
    for (let i = 0; i < 20; i++) {
      await world.put('a', `${i}`)
      await world.clock.advance('3s')
    }
    await world.clock.advance('1m') // it may be waiting before it connects again
    assert.deepEqual(fold.lines, ['added a 0', ...Array.from({ length: 19 }, (_, i) => `updated a ${i + 1}`)])
    assert.equal(copiesIn(world), 1)
    await world.assertEqual(informer)
  })

  test('detects a dead connection', async () => {
    await using world = await InformerHarness.start()
    let watches = 0
    world.faultOf = (request) =>
      request.responseType === 'watch' && ++watches === 1 ? { watch: { how: 'stalled', after: 10_000 } } : {}
    const informer = await world.synced()
    const fold = new ChangeRecorder(informer)
    await world.clock.advance('11s')
    const { metadata } = await world.put('a', '1')
    await world.clock.advance('75s')
    assert.deepEqual(fold.lines, [])
    await world.clock.advance('10s')
    assert.deepEqual(fold.lines, ['added a 1'])
    assert.ok(informer.revision >= Number(metadata.resourceVersion))
    assert.match(await world.environment.metrics.text(), /reflector_stalled_requests_total\{name="configmaps"\} 1/)
  })

  test('keeps a quiet watch that gets bookmarks', async () => {
    await using world = await InformerHarness.start()
    const informer = await world.synced()
    const { metadata } = await world.client.resource(Namespace).create({ metadata: { name: 'elsewhere' } })
    await world.clock.advance('4m')
    assert.equal(world.requests.length, 1)
    assert.ok(informer.revision >= Number(metadata.resourceVersion), 'bookmarks move the revision')
    await world.clock.advance('1h')
    const perHour = world.requests.length
    assert.ok(perHour >= 6 && perHour <= 13, `a watch lasts from 5 to 10 minutes: ${perHour} in an hour`)
    assert.ok(
      world.requests.every(({ request }) => request.responseType === 'watch'),
      'and goes on from where the last one ended',
    )
  })

  test('lists again if the server has compacted its revision, and reports the difference', async () => {
    await using world = await InformerHarness.start()
    for (const name of ['kept', 'changed', 'gone', 'recreated']) await world.put(name, '1')
    world.faultOf = ({ responseType }) => (responseType === 'watch' ? { watch: { how: 'stalled', after: 1_000 } } : {})
    const informer = await world.synced()
    const fold = new ChangeRecorder(informer)
    await world.clock.advance('2s')
    fold.lines.length = 0
    for (const name of ['gone', 'recreated']) await world.configMaps.delete(name)
    await world.put('recreated', '2')
    await world.put('changed', '2')
    await world.put('new', '2')
    world.faultOf = ({ query }) => (query.get('resourceVersion') && query.get('watch') ? gone : {})
    await world.clock.advance('3m')
    assert.deepEqual([...fold.lines.slice(0, 2)].sort(), ['deleted gone 1', 'deleted recreated 1'])
    assert.deepEqual(fold.lines.slice(2), ['added recreated 2', 'updated changed 2', 'added new 2'])
    await world.assertEqual(informer)
  })

  for (const [how, refuse] of Object.entries({
    'refuses to stream': () => ({ refused: invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', []) }),
    'does not know about streaming': (request: ClientRequest) => {
      for (const name of ['sendInitialEvents', 'resourceVersionMatch']) request.query.delete(name)
      return {}
    },
  }))
    test(`lists and watches if a server ${how}`, async () => {
      await using world = await InformerHarness.start()
      await world.put('a', '1')
      world.faultOf = (request) => (request.query.has('sendInitialEvents') ? refuse(request) : {})
      const informer = await world.synced()
      assert.ok(world.clock.monotonic() < 15_000)
      const fold = new ChangeRecorder(informer)
      await world.put('a', '2')
      await world.clock.settle()
      assert.deepEqual(fold.lines, ['added a 1', 'updated a 2'])
      const streamed = world.requests.filter(({ request }) => request.query.has('sendInitialEvents'))
      world.faultOf = watchesEnd('expired', 20_000)
      await world.clock.advance('5m')
      assert.equal(streamed.length, how === 'refuses to stream' ? 1 : 0, 'it does not try what was refused')
      await world.assertEqual(informer)
    })

  test('lists in pages, and all at once if the pages expire', async () => {
    await using world = await InformerHarness.start()
    for (let i = 0; i < 1100; i++) await world.put(`object-${i}`, '1')
    world.faultOf = ({ query }) => {
      if (query.has('sendInitialEvents')) return { refused: unknown('no') }
      return query.has('continue') ? gone : {}
    }
    const informer = await world.synced()
    const lists = world.requests
      .filter(({ request }) => request.responseType === 'list')
      .map(({ request }) => request.query)
    assert.deepEqual(
      lists.map((query) => [query.get('limit'), query.has('continue')]),
      [
        ['500', false],
        ['500', true],
        [null, false],
      ],
    )
    assert.equal([...informer.by('namespace', harnessNamespace)].length, (await world.configMaps.list()).items.length)
  })

  test('detects a restored store, and goes back with it', async () => {
    await using world = await InformerHarness.start()
    await world.put('a', '1')
    await world.put('b', '1')
    const informer = await world.synced()
    const fold = new ChangeRecorder(informer)
    const backup = world.backup()
    await world.put('a', '2')
    await world.put('lost', '1')
    await world.configMaps.delete('b')
    await world.letRevisionsPass(100)
    await world.clock.advance('2m')
    const far = informer.revision
    const waiting = informer.reached(far + 1_000_000)
    await world.stopServer()
    await world.clock.advance('1s')
    await world.startServer(backup)
    await world.clock.advance('1m')
    assert.ok(informer.revision < far, `${informer.revision} is before ${far}`)
    await waiting
    await world.put('b', '3')
    await world.clock.settle()
    await world.assertEqual(informer)
    assert.deepEqual(fold.lines.slice(-4), ['deleted lost 1', 'updated a 1', 'added b 1', 'updated b 3'])
  })

  test('backs off while the server is down, and reconnects soon when it is back', async () => {
    await using world = await InformerHarness.start()
    const informer = await world.synced()
    await world.stopServer()
    const before = world.requests.length
    await world.clock.advance('10m')
    const tries = world.requests.length - before
    assert.ok(tries >= 12 && tries <= 30, `${tries} in ten minutes`)
    await world.startServer()
    await world.put('a', '1')
    await world.clock.advance('1m')
    assert.equal(informer.get(`${harnessNamespace}/a`)?.data?.value, '1')
  })

  test('retries when an overloaded server asks for it', async () => {
    await using world = await InformerHarness.start()
    world.faultOf = () => ({ refused: tooManyRequests('not now', 20) })
    const informer = world.informers.of(ConfigMap)
    await world.clock.advance('50s')
    const times = world.requests.map(({ at }) => Math.round(at / 1000))
    assert.deepEqual(times, [0, 20, 40])
    world.faultOf = () => ({})
    await world.clock.advance('11s')
    assert.ok(informer.isSynced)
  })

  test('is not blocked by a request without a response', async () => {
    await using world = await InformerHarness.start()
    let requests = 0
    world.faultOf = () => (++requests < 3 ? { hangs: 'before' } : {})
    const informer = await world.synced()
    assert.ok(informer.isSynced)
    assert.ok(world.clock.monotonic() <= 75_000, 'ten seconds for a stream, a minute for a list')
  })

  test('leaves nothing behind when it is closed', async () => {
    await using world = await InformerHarness.start()
    const informer = await world.synced()
    world.faultOf = () => ({ hangs: 'before' })
    const idle = world.clock.pending
    const waiting = assert.rejects(informer.reached(1e9), InformerClosedError)
    await world.informers.close()
    await waiting
    await assert.rejects(informer.reached(0), InformerClosedError)
    await world.clock.settle()
    assert.ok(world.clock.pending < idle)
    const { length } = world.requests
    await world.clock.advance('1h')
    assert.equal(world.requests.length, length)
    await informer.synced
  })

  test('continues if a handler throws, and calls the other handlers', async () => {
    await using world = await InformerHarness.start()
    const informer = await world.synced()
    const stop = informer.onChange(({ object }) => {
      if (object.metadata.name === 'a') throw new Error('no') // the server makes objects of its own as well
    })
    const fold = new ChangeRecorder(informer)
    await world.put('a', '1')
    await world.clock.settle()
    stop()
    await world.put('a', '2')
    await world.clock.settle()
    assert.deepEqual(fold.lines, ['added a 1', 'updated a 2'])
    assert.equal(world.records.filter(({ message }) => message === 'informer handler failed').length, 1)
    assert.match(await world.environment.metrics.text(), /informer_handler_failures_total\{name="configmaps"\} 1/)
  })
})

describe('over hours of random faults', () => {
  test('every event is reported once and in order, as long as the server has its history', async () => {
    await using world = await InformerHarness.start()
    const random = seededRandom(7)
    const writer = new RandomWriter(world, random)
    const informer = await world.synced()
    const fold = new ChangeRecorder(informer)
    world.faultOf = () => randomFault(random, ['cut', 'ended', 'stalled'])
    const end = world.clock.monotonic() + 3 * 3_600_000
    while (world.clock.monotonic() < end) {
      await writer.write()
      await world.clock.advance(random.integer(40_000))
    }
    world.faultOf = () => ({})
    await world.clock.advance(recoveryTime)
    assert.deepEqual(fold.lines, writer.written)
    assert.equal(copiesIn(world), 1)
    await world.assertEqual(informer)
    assert.deepEqual(errorsIn(world), [])
  })

  test('the copy finally equals the objects of the server', async () => {
    await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 2 ** 31 }), surviveTrouble), {
      numRuns: 3,
      endOnFailure: true,
    })
  })
})

const gone: TransportFault = { refused: expired('too old resource version: 1 (2)') }

function watchesEnd(how: WatchFault, after: number): (request: ClientRequest) => TransportFault {
  return ({ responseType }) => (responseType === 'watch' ? { watch: { how, after } } : {})
}

/** How often everything was copied. */
function copiesIn({ requests }: InformerHarness): number {
  return requests.filter(({ request: { query } }) => !query.has('resourceVersion') && !query.has('continue')).length
}
