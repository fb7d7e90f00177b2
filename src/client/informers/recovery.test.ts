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
    await using harness = await InformerHarness.start()
    harness.faultOf = watchesEnd('cut', 10_000)
    const informer = await harness.synced()
    const fold = new ChangeRecorder(informer)
    for (let i = 0; i < 20; i++) {
      await harness.put('a', `${i}`)
      await harness.clock.advance('3s')
    }
    await harness.clock.advance('1m') // it may be waiting before it connects again
    assert.deepEqual(fold.lines, ['added a 0', ...Array.from({ length: 19 }, (_, i) => `updated a ${i + 1}`)])
    assert.equal(copiesIn(harness), 1)
    await harness.assertEqual(informer)
  })

  test('detects a dead connection', async () => {
    await using harness = await InformerHarness.start()
    let watches = 0
    harness.faultOf = (request) =>
      request.responseType === 'watch' && ++watches === 1 ? { watch: { how: 'stalled', after: 10_000 } } : {}
    const informer = await harness.synced()
    const fold = new ChangeRecorder(informer)
    await harness.clock.advance('11s')
    const { metadata } = await harness.put('a', '1')
    await harness.clock.advance('75s')
    assert.deepEqual(fold.lines, [])
    await harness.clock.advance('10s')
    assert.deepEqual(fold.lines, ['added a 1'])
    assert.ok(informer.revision >= Number(metadata.resourceVersion))
    assert.match(await harness.environment.metrics.text(), /reflector_stalled_requests_total\{name="configmaps"\} 1/)
  })

  test('keeps a quiet watch that gets bookmarks', async () => {
    await using harness = await InformerHarness.start()
    const informer = await harness.synced()
    const { metadata } = await harness.client.resource(Namespace).create({ metadata: { name: 'elsewhere' } })
    await harness.clock.advance('4m')
    assert.equal(harness.requests.length, 1)
    assert.ok(informer.revision >= Number(metadata.resourceVersion), 'bookmarks move the revision')
    await harness.clock.advance('1h')
    const perHour = harness.requests.length
    assert.ok(perHour >= 6 && perHour <= 13, `a watch lasts from 5 to 10 minutes: ${perHour} in an hour`)
    assert.ok(
      harness.requests.every(({ request }) => request.responseType === 'watch'),
      'and goes on from where the last one ended',
    )
  })

  test('lists again if the server has compacted its revision, and reports the difference', async () => {
    await using harness = await InformerHarness.start()
    for (const name of ['kept', 'changed', 'gone', 'recreated']) await harness.put(name, '1')
    harness.faultOf = ({ responseType }) =>
      responseType === 'watch' ? { watch: { how: 'stalled', after: 1_000 } } : {}
    const informer = await harness.synced()
    const fold = new ChangeRecorder(informer)
    await harness.clock.advance('2s')
    fold.lines.length = 0
    for (const name of ['gone', 'recreated']) await harness.configMaps.delete(name)
    await harness.put('recreated', '2')
    await harness.put('changed', '2')
    await harness.put('new', '2')
    harness.faultOf = ({ query }) => (query.get('resourceVersion') && query.get('watch') ? gone : {})
    await harness.clock.advance('3m')
    assert.deepEqual([...fold.lines.slice(0, 2)].sort(), ['deleted gone 1', 'deleted recreated 1'])
    assert.deepEqual(fold.lines.slice(2), ['added recreated 2', 'updated changed 2', 'added new 2'])
    await harness.assertEqual(informer)
  })

  for (const [how, refuse] of Object.entries({
    'refuses to stream': () => ({ refused: invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', []) }),
    'does not know about streaming': (request: ClientRequest) => {
      for (const name of ['sendInitialEvents', 'resourceVersionMatch']) request.query.delete(name)
      return {}
    },
  }))
    test(`lists and watches if a server ${how}`, async () => {
      await using harness = await InformerHarness.start()
      await harness.put('a', '1')
      harness.faultOf = (request) => (request.query.has('sendInitialEvents') ? refuse(request) : {})
      const informer = await harness.synced()
      assert.ok(harness.clock.monotonic() < 15_000)
      const fold = new ChangeRecorder(informer)
      await harness.put('a', '2')
      await harness.clock.settle()
      assert.deepEqual(fold.lines, ['added a 1', 'updated a 2'])
      const streamed = harness.requests.filter(({ request }) => request.query.has('sendInitialEvents'))
      harness.faultOf = watchesEnd('expired', 20_000)
      await harness.clock.advance('5m')
      assert.equal(streamed.length, how === 'refuses to stream' ? 1 : 0, 'it does not try what was refused')
      await harness.assertEqual(informer)
    })

  test('lists in pages, and all at once if the pages expire', async () => {
    await using harness = await InformerHarness.start()
    for (let i = 0; i < 1100; i++) await harness.put(`object-${i}`, '1')
    harness.faultOf = ({ query }) => {
      if (query.has('sendInitialEvents')) return { refused: unknown('no') }
      return query.has('continue') ? gone : {}
    }
    const informer = await harness.synced()
    const lists = harness.requests
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
    assert.equal([...informer.by('namespace', harnessNamespace)].length, (await harness.configMaps.list()).items.length)
  })

  test('detects a restored store, and goes back with it', async () => {
    await using harness = await InformerHarness.start()
    await harness.put('a', '1')
    await harness.put('b', '1')
    const informer = await harness.synced()
    const fold = new ChangeRecorder(informer)
    const backup = harness.backup()
    await harness.put('a', '2')
    await harness.put('lost', '1')
    await harness.configMaps.delete('b')
    await harness.letRevisionsPass(100)
    await harness.clock.advance('2m')
    const far = informer.revision
    const waiting = informer.reached(far + 1_000_000)
    await harness.stopServer()
    await harness.clock.advance('1s')
    await harness.startServer(backup)
    await harness.clock.advance('1m')
    assert.ok(informer.revision < far, `${informer.revision} is before ${far}`)
    await waiting
    await harness.put('b', '3')
    await harness.clock.settle()
    await harness.assertEqual(informer)
    assert.deepEqual(fold.lines.slice(-4), ['deleted lost 1', 'updated a 1', 'added b 1', 'updated b 3'])
  })

  test('backs off while the server is down, and reconnects soon when it is back', async () => {
    await using harness = await InformerHarness.start()
    const informer = await harness.synced()
    await harness.stopServer()
    const before = harness.requests.length
    await harness.clock.advance('10m')
    const tries = harness.requests.length - before
    assert.ok(tries >= 12 && tries <= 30, `${tries} in ten minutes`)
    await harness.startServer()
    await harness.put('a', '1')
    await harness.clock.advance('1m')
    assert.equal(informer.get(`${harnessNamespace}/a`)?.data?.value, '1')
  })

  test('retries when an overloaded server asks for it', async () => {
    await using harness = await InformerHarness.start()
    harness.faultOf = () => ({ refused: tooManyRequests('not now', 20) })
    const informer = harness.informers.of(ConfigMap)
    await harness.clock.advance('50s')
    const times = harness.requests.map(({ at }) => Math.round(at / 1000))
    assert.deepEqual(times, [0, 20, 40])
    harness.faultOf = () => ({})
    await harness.clock.advance('11s')
    assert.ok(informer.isSynced)
  })

  test('is not blocked by a request without a response', async () => {
    await using harness = await InformerHarness.start()
    let requests = 0
    harness.faultOf = () => (++requests < 3 ? { hangs: 'before' } : {})
    const informer = await harness.synced()
    assert.ok(informer.isSynced)
    assert.ok(harness.clock.monotonic() <= 75_000, 'ten seconds for a stream, a minute for a list')
  })

  test('leaves nothing behind when it is closed', async () => {
    await using harness = await InformerHarness.start()
    const informer = await harness.synced()
    harness.faultOf = () => ({ hangs: 'before' })
    const idle = harness.clock.pending
    const waiting = assert.rejects(informer.reached(1e9), InformerClosedError)
    await harness.informers.close()
    await waiting
    await assert.rejects(informer.reached(0), InformerClosedError)
    await harness.clock.settle()
    assert.ok(harness.clock.pending < idle)
    const { length } = harness.requests
    await harness.clock.advance('1h')
    assert.equal(harness.requests.length, length)
    await informer.synced
  })

  test('continues if a handler throws, and calls the other handlers', async () => {
    await using harness = await InformerHarness.start()
    const informer = await harness.synced()
    const stop = informer.onChange(({ object }) => {
      if (object.metadata.name === 'a') throw new Error('no') // the server makes objects of its own as well
    })
    const fold = new ChangeRecorder(informer)
    await harness.put('a', '1')
    await harness.clock.settle()
    stop()
    await harness.put('a', '2')
    await harness.clock.settle()
    assert.deepEqual(fold.lines, ['added a 1', 'updated a 2'])
    assert.equal(harness.records.filter(({ message }) => message === 'informer handler failed').length, 1)
    assert.match(await harness.environment.metrics.text(), /informer_handler_failures_total\{name="configmaps"\} 1/)
  })
})

describe('over hours of random faults', () => {
  test('every event is reported once and in order, as long as the server has its history', async () => {
    await using harness = await InformerHarness.start()
    const random = seededRandom(7)
    const writer = new RandomWriter(harness, random)
    const informer = await harness.synced()
    const fold = new ChangeRecorder(informer)
    harness.faultOf = () => randomFault(random, ['cut', 'ended', 'stalled'])
    const end = harness.clock.monotonic() + 3 * 3_600_000
    while (harness.clock.monotonic() < end) {
      await writer.write()
      await harness.clock.advance(random.integer(40_000))
    }
    harness.faultOf = () => ({})
    await harness.clock.advance(recoveryTime)
    assert.deepEqual(fold.lines, writer.written)
    assert.equal(copiesIn(harness), 1)
    await harness.assertEqual(informer)
    assert.deepEqual(errorsIn(harness), [])
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
