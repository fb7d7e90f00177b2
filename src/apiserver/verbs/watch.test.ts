import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../../api/errors.js'
import type { UntypedObject } from '../../api/kube-object.js'
import { Listener, type Place, setUp } from './reading.test.kit.js'
import { watch } from './watch.js'

type Cluster = Awaited<ReturnType<typeof setUp>>

function listen({ scope }: Cluster, query: string, place?: Place): Listener {
  return new Listener(watch(scope(`watch=1&${query}`, place)).events)
}

const labels = (app: string) => ({ metadata: { labels: { app } } })

describe('a watch', () => {
  test('from a resource version delivers the following changes', async (context) => {
    const cluster = await setUp(context)
    const { revision } = await cluster.put('a')
    const listener = listen(cluster, `resourceVersion=${revision}`)
    await cluster.put('b')
    await cluster.put('a', { data: { n: '2' } })
    await cluster.remove('b')
    await cluster.clock.settle()
    assert.deepEqual(listener.told, ['ADDED b 3', 'MODIFIED a 4', 'DELETED b 5'])
  })

  test('without one, or from 0, starts with the existing objects', async (context) => {
    const cluster = await setUp(context)
    await cluster.put('b')
    await cluster.put('a')
    const listeners = ['', 'resourceVersion=0'].map((query) => listen(cluster, query))
    await cluster.clock.settle()
    await cluster.put('b')
    await cluster.clock.settle()
    for (const { told } of listeners) assert.deepEqual(told, ['ADDED a 3', 'ADDED b 2', 'MODIFIED b 4'])
  })

  test('with a selector reports objects that start or stop to match', async (context) => {
    const cluster = await setUp(context)
    await cluster.put('a', labels('shop'))
    const listener = listen(cluster, 'resourceVersion=2&labelSelector=app=shop')
    await cluster.put('b', labels('blog'))
    await cluster.put('b', labels('shop'))
    await cluster.put('a', { ...labels('shop'), data: { n: '2' } })
    await cluster.put('a', { ...labels('none'), data: { n: '3' } })
    await cluster.put('a', { ...labels('none'), data: { n: '4' } })
    await cluster.remove('a')
    await cluster.remove('b')
    await cluster.clock.settle()
    assert.deepEqual(listener.told, ['ADDED b 4', 'MODIFIED a 5', 'DELETED a 6', 'DELETED b 9'])
    const { object, bytes } = listener.events[2]!.object
    assert.deepEqual((object as UntypedObject).data, { n: '2' }, 'what leaves is told as it was')
    assert.equal(Buffer.from(bytes).toString(), `${JSON.stringify(object)}\n`)
  })

  test('of a field value reports objects that get or lose it', async (context) => {
    const fields = { 'spec.node': (object: never) => (object as { node?: string }).node ?? '' }
    const cluster = await setUp(context, 'ConfigMap', fields)
    await cluster.put('a', { node: 'one' })
    const query = 'resourceVersion=1&fieldSelector=spec.node='
    const [one, two, none] = ['one', 'two', ''].map((node) => listen(cluster, query + node))
    const named = listen(cluster, `${query}two,metadata.name!=a`)
    const late = () => ['one', 'two', ''].map((node) => listen(cluster, query + node))
    await cluster.put('a', { node: 'two' })
    await cluster.put('b', { node: 'two' })
    await cluster.put('a', { node: 'two', more: true })
    await cluster.put('a')
    await cluster.remove('b')
    await cluster.clock.settle()
    const expected = [
      ['ADDED a 2', 'DELETED a 3'],
      ['ADDED a 3', 'ADDED b 4', 'MODIFIED a 5', 'DELETED a 6', 'DELETED b 7'],
      ['ADDED a 6'],
    ]
    assert.deepEqual([one!.told, two!.told, none!.told], expected)
    assert.deepEqual(named.told, ['ADDED b 4', 'DELETED b 7'])
    const after = late()
    await cluster.clock.advance('1s')
    assert.deepEqual(
      after.map(({ told }) => told),
      expected,
    )
  })

  test('of one object is requested by a field selector or by the path', async (context) => {
    const cluster = await setUp(context)
    const listeners = [
      listen(cluster, 'resourceVersion=1&fieldSelector=metadata.name=b'),
      listen(cluster, 'resourceVersion=1', { name: 'b' }),
      listen(cluster, 'resourceVersion=1&fieldSelector=metadata.name=b', { name: 'b' }),
      listen(cluster, 'resourceVersion=1&fieldSelector=metadata.name=b', { namespace: '' }),
    ]
    await cluster.put('a')
    await cluster.put('b')
    await cluster.put('bb')
    await cluster.clock.settle()
    for (const { told } of listeners) assert.deepEqual(told, ['ADDED b 3'])
    assert.throws(() => listen(cluster, 'fieldSelector=metadata.name=a', { name: 'b' }), {
      message: "fieldSelector metadata.name doesn't match requested name",
    })
  })

  test('shares its events with other watches', async (context) => {
    const cluster = await setUp(context)
    const listeners = ['', '', '&labelSelector=app=shop'].map((more) => listen(cluster, `resourceVersion=1${more}`))
    await cluster.put('a', labels('shop'))
    await cluster.clock.settle()
    const [one, two, three] = listeners.map(({ events }) => events[0])
    assert.ok(one)
    assert.equal(one, two)
    assert.equal(one, three)
  })

  test('ends when the client disconnects, or at its timeout', async (context) => {
    const cluster = await setUp(context)
    const leaving = new AbortController()
    const gone = listen(cluster, '', { signal: leaving.signal })
    const short = listen(cluster, 'timeoutSeconds=5')
    const over = listen(cluster, 'timeoutSeconds=-1')
    const long = listen(cluster, 'timeoutSeconds=0')
    await cluster.clock.advance('4s')
    leaving.abort()
    await cluster.clock.settle()
    assert.deepEqual([gone.ended, short.ended, over.ended], [true, false, true])
    await cluster.clock.advance('1s')
    assert.deepEqual([short.ended, long.ended], [true, false])
    await cluster.clock.advance('29m')
    assert.equal(long.ended, false)
    await cluster.clock.advance('31m')
    assert.equal(long.ended, true)
    for (const { error } of [gone, short, over, long]) assert.equal(error, undefined)
  })

  test('of a compacted revision fails, with the oldest available revision', async (context) => {
    const cluster = await setUp(context)
    for (let i = 0; i < 10; i++) await cluster.put('a', { data: { n: `${i}` } })
    await cluster.memory.compact(8)
    const listener = listen(cluster, 'resourceVersion=3')
    const lucky = listen(cluster, 'resourceVersion=8')
    await cluster.clock.advance('1s')
    assert.ok(listener.error instanceof ApiError)
    assert.deepEqual(
      [listener.error.code, listener.error.reason, listener.error.message],
      [410, 'Expired', 'too old resource version: 3 (7)'],
    )
    assert.deepEqual(lucky.told, ['MODIFIED a 9', 'MODIFIED a 10', 'MODIFIED a 11'])
  })

  test('rejects invalid options', async (context) => {
    const cluster = await setUp(context)
    const refused = (query: string, message: string) =>
      assert.throws(
        () => listen(cluster, query),
        (error) => error instanceof ApiError && `${error.code} ${error.message}` === message,
      )
    refused(
      'resourceVersion=abc',
      '500 resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    )
    refused(
      'fieldSelector=data.k=v',
      '400 "data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    )
    refused('timeoutSeconds=soon', '400 strconv.ParseInt: parsing "soon": invalid syntax')
  })
})

describe('a watch list', () => {
  const query = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

  test('delivers the existing objects, a bookmark, and the following changes', async (context) => {
    const cluster = await setUp(context, 'Pod')
    await cluster.put('a', labels('shop'))
    await cluster.put('b')
    const listener = listen(cluster, `${query}&allowWatchBookmarks=true&labelSelector=app=shop`)
    await cluster.clock.settle()
    await cluster.remove('a')
    await cluster.clock.settle()
    assert.deepEqual(listener.told, ['ADDED a 2', 'BOOKMARK 3', 'DELETED a 4'])
    assert.deepEqual(listener.events[1]!.object.object, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { resourceVersion: '3', annotations: { 'k8s.io/initial-events-end': 'true' } },
      spec: { containers: null },
      status: {},
    })
  })

  test('has no bookmarks unless requested', async (context) => {
    const cluster = await setUp(context)
    await cluster.put('a')
    const listener = listen(cluster, query)
    await cluster.clock.advance('5m')
    assert.deepEqual(listener.told, ['ADDED a 2'])
  })

  test('waits for its revision, and gives up after three seconds', async (context) => {
    const cluster = await setUp(context)
    const soon = listen(cluster, `${query}&resourceVersion=2`)
    const never = listen(cluster, `${query}&resourceVersion=99`)
    await cluster.clock.advance('1s')
    assert.deepEqual(soon.told, [])
    await cluster.put('a')
    await cluster.clock.advance('2s')
    assert.deepEqual(soon.told, ['ADDED a 2'])
    assert.ok(never.error instanceof ApiError)
    assert.equal(never.error.message, 'Timeout: Too large resource version: 99, current: 2')
  })

  test('may omit the existing objects', async (context) => {
    const cluster = await setUp(context)
    await cluster.put('a')
    const off = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan'
    const [since, now, any] = ['&resourceVersion=1', '', '&resourceVersion=0'].map((more) =>
      listen(cluster, off + more),
    )
    await cluster.clock.settle()
    await cluster.put('b')
    await cluster.clock.settle()
    assert.deepEqual(since!.told, ['ADDED a 2', 'ADDED b 3'])
    assert.deepEqual(now!.told, ['ADDED b 3'])
    assert.deepEqual(any!.told, ['ADDED b 3'])
  })
})

describe('bookmarks', () => {
  test('arrive every minute, even if no event matches', async (context) => {
    const cluster = await setUp(context)
    const listener = listen(
      cluster,
      'resourceVersion=1&allowWatchBookmarks=true&labelSelector=none=such&timeoutSeconds=600',
    )
    for (let i = 0; i < 5; i++) {
      await cluster.put('a', { data: { n: `${i}` } })
      await cluster.clock.advance('30s')
    }
    assert.deepEqual(listener.told, ['BOOKMARK 3', 'BOOKMARK 5'])
    assert.deepEqual(listener.events[0]!.object.object.metadata, { resourceVersion: '3' })
  })

  test('arrive two seconds before the end', async (context) => {
    const cluster = await setUp(context)
    const listener = listen(cluster, 'resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=90')
    const short = listen(cluster, 'resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=1')
    await cluster.clock.advance('87s')
    assert.equal(listener.told.length, 1)
    await cluster.clock.advance('1s')
    assert.equal(listener.told.length, 2)
    await cluster.clock.advance('2s')
    assert.deepEqual([listener.told.length, listener.ended, short.told.length], [2, true, 0])
  })
})
