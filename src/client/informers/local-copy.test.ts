import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AnyObject } from '../resource-client.js'
import { keyOf, parseKey } from './informer.js'
import { InconsistentWatchError, LocalCopy } from './local-copy.js'

function object(name: string, revision: number, uid = name, labels: Record<string, string> = {}): AnyObject {
  return { metadata: { name, namespace: 'default', uid, resourceVersion: `${revision}`, labels } }
}

function setUp() {
  const failures: unknown[] = []
  const copy = new LocalCopy<AnyObject>((error) => failures.push(error))
  const changes: string[] = []
  copy.onChange(({ type, object: { metadata } }) => changes.push(`${type} ${metadata.uid} ${metadata.resourceVersion}`))
  return { copy, changes, failures }
}

describe('a copy', () => {
  test('reports that an object of the same name was replaced', () => {
    const { copy, changes } = setUp()
    copy.replace([object('a', 1, 'first')], 1)
    copy.apply('MODIFIED', object('a', 2, 'second'))
    copy.apply('DELETED', object('a', 4, 'third'))
    assert.deepEqual(changes, ['added first 1', 'deleted first 1', 'added second 2', 'deleted second 2'])
  })

  test('ignores an event that it has already applied', () => {
    const { copy, changes } = setUp()
    copy.replace([object('a', 3)], 5)
    copy.apply('ADDED', object('a', 3))
    copy.apply('DELETED', object('b', 4))
    assert.deepEqual(changes, ['added a 3'])
    assert.equal(copy.revision, 5)
  })

  test('rejects an event that contradicts its state', () => {
    const { copy } = setUp()
    copy.replace([object('a', 3)], 5)
    for (const late of [object('a', 4), object('b', 4)])
      assert.throws(() => copy.apply('MODIFIED', late), InconsistentWatchError)
    assert.throws(() => copy.apply('DELETED', object('a', 4)), InconsistentWatchError)
    const odd = { metadata: { ...object('a', 0).metadata, resourceVersion: 'odd' } }
    assert.throws(() => copy.apply('MODIFIED', odd), InconsistentWatchError)
    assert.equal(copy.revision, 5)
  })

  test('reports the difference to a new list in order of revision', () => {
    const { copy, changes } = setUp()
    copy.replace([object('a', 1), object('b', 2), object('c', 3)], 3)
    const [a] = copy.list()
    changes.length = 0
    copy.replace([object('a', 1), object('c', 9), object('d', 7)], 9)
    assert.deepEqual(changes, ['deleted b 2', 'added d 7', 'updated c 9'])
    assert.equal(copy.get('default/a'), a)
  })

  test('takes every object of a restored store as changed', () => {
    const { copy, changes } = setUp()
    copy.replace([object('a', 5)], 9)
    changes.length = 0
    copy.replace([object('a', 5)], 6)
    assert.deepEqual(changes, ['updated a 5'])
    assert.equal(copy.revision, 6)
  })

  test('resolves waiters when their revision is reached', async () => {
    const { copy } = setUp()
    const reached: number[] = []
    for (let i = 2000; i > 0; i--) void copy.reached(i).then(() => reached.push(i))
    copy.replace([], 10)
    await new Promise(setImmediate)
    assert.deepEqual(
      reached,
      Array.from({ length: 10 }, (_, i) => i + 1),
    )
    copy.advance(12)
    await new Promise(setImmediate)
    assert.equal(reached.length, 12)
  })

  test('handlers that are added or removed during an event get each change once', () => {
    const { copy } = setUp()
    const seen: string[] = []
    const stops: (() => void)[] = []
    copy.onChange(({ object: { metadata } }) => {
      if (metadata.name === 'b') stops.push(copy.onChange((change) => seen.push(`late ${keyOf(change.object)}`)))
      if (metadata.name === 'c') for (const stop of stops) stop()
    })
    const { length } = stops
    for (const [i, name] of ['a', 'b', 'c'].entries()) copy.apply('ADDED', object(name, i + 1))
    assert.equal(length, 0)
    assert.deepEqual(seen, ['late default/a', 'late default/b'])
  })

  test('finds objects by an index, in their current state', () => {
    const { copy } = setUp()
    copy.addIndex('label', ({ metadata }) => Object.keys(metadata.labels ?? {}))
    copy.replace([object('a', 1, 'a', { x: '', y: '' }), object('b', 2, 'b', { y: '' })], 2)
    const at = (label: string) => [...copy.by('label', label)].map(({ metadata }) => metadata.resourceVersion)
    assert.deepEqual([at('x'), at('y'), at('z')], [['1'], ['1', '2'], []])
    copy.apply('MODIFIED', object('a', 3, 'a', { z: '' }))
    copy.apply('DELETED', object('b', 4, 'b', { y: '' }))
    assert.deepEqual([at('x'), at('y'), at('z')], [[], [], ['3']])
    copy.addIndex('label', () => ['never'])
    assert.deepEqual(at('z'), ['3'])
    assert.throws(() => copy.by('colour', 'red'), /no index "colour"/)
  })

  test('can be iterated more than once', () => {
    const { copy } = setUp()
    copy.replace([object('a', 1)], 1)
    const all = copy.list()
    assert.deepEqual([[...all].length, [...all].length], [1, 1])
  })
})

test('a key has a namespace if the object has one', () => {
  assert.deepEqual(parseKey(keyOf(object('a', 1))), { namespace: 'default', name: 'a' })
  assert.deepEqual(parseKey(keyOf({ metadata: { name: 'node' } })), { namespace: '', name: 'node' })
})
