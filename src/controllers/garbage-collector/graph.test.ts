import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { locationOf } from '../../client/resource-location.js'
import { isInCycle } from './deletion-cycles.js'
import { OwnerGraph } from './graph.js'

const place = locationOf(ConfigMap)

function reference(uid: string, changes: Partial<OwnerReference> = {}): OwnerReference {
  return { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, blockOwnerDeletion: true, ...changes }
}

function metadata(uid: string, owners: readonly OwnerReference[] = [], more: Partial<ObjectMeta> = {}): ObjectMeta {
  return { uid, name: uid, namespace: 'default', ...(owners.length > 0 && { ownerReferences: owners }), ...more }
}

const waiting = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] }
const orphaning = { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['orphan'] }

function graphWith(...objects: readonly ObjectMeta[]) {
  let concerned: string[] = []
  const misplaced: string[] = []
  const graph = new OwnerGraph({
    changed: (uid) => concerned.push(uid),
    invalidReference: (dependent, { uid }) => misplaced.push(`${dependent.metadata.uid} of ${uid}`),
  })
  for (const object of objects) graph.observe(place, object)
  concerned = []
  return {
    graph,
    misplaced,
    /** Who is concerned by something that happens. */
    by(happens: () => void): readonly string[] {
      concerned = []
      happens()
      return [...new Set(concerned)].sort()
    },
  }
}

describe('an object is looked at', () => {
  test('when its owner goes', () => {
    const { graph, by } = graphWith(metadata('owner'), metadata('a', [reference('owner')]), metadata('b'))
    assert.deepEqual(
      by(() => graph.forget('owner')),
      ['a'],
    )
  })

  test('when it names an owner that nobody has seen: both, to find out', () => {
    const { graph, by } = graphWith()
    assert.deepEqual(
      by(() => graph.observe(place, metadata('a', [reference('owner')]))),
      ['owner'],
    )
    assert.equal(graph.get('owner')!.known, undefined)
    assert.deepEqual(
      by(() => graph.observe(place, metadata('owner'))),
      [],
    )
  })

  test('when its owner begins to wait for it, and the owner as well', () => {
    const { graph, by } = graphWith(metadata('owner'), metadata('a', [reference('owner')]))
    assert.deepEqual(
      by(() => graph.observe(place, metadata('owner', [], waiting))),
      ['a', 'owner'],
    )
    assert.deepEqual(
      by(() => graph.observe(place, metadata('owner', [], { ...waiting, labels: { a: 'b' } }))),
      [],
    )
  })

  test('when it must let go of its dependents', () => {
    const { graph, by } = graphWith(metadata('owner'), metadata('a', [reference('owner')]))
    assert.deepEqual(
      by(() => graph.observe(place, metadata('owner', [], orphaning))),
      ['owner'],
    )
  })

  test('when a dependent that it waits for goes, is released, or blocks it no longer', () => {
    const ways: readonly [string, (graph: OwnerGraph) => void][] = [
      ['goes', (graph) => graph.forget('a')],
      ['is released', (graph) => graph.observe(place, metadata('a'))],
      [
        'does not block',
        (graph) => graph.observe(place, metadata('a', [reference('owner', { blockOwnerDeletion: false })])),
      ],
    ]
    for (const [way, happens] of ways) {
      const { graph, by } = graphWith(metadata('owner', [], waiting), metadata('a', [reference('owner')]))
      assert.ok(by(() => happens(graph)).includes('owner'), way)
    }
  })

  test('when it names its owner wrongly, whoever is seen first', () => {
    const right = metadata('owner')
    for (const wrong of [{ name: 'x' }, { kind: 'Secret' }, { apiVersion: 'apps/v1' }]) {
      const late = graphWith(right)
      const dependent = metadata('a', [reference('owner', wrong)])
      assert.deepEqual(
        late.by(() => late.graph.observe(place, dependent)),
        ['a'],
      )
      const early = graphWith(dependent)
      assert.deepEqual(
        early.by(() => early.graph.observe(place, right)),
        ['a'],
      )
    }
    const { graph, by, misplaced } = graphWith(right)
    assert.deepEqual(
      by(() => graph.observe(place, metadata('a', [reference('owner')], { namespace: 'other' }))),
      ['a'],
    )
    assert.deepEqual(misplaced, ['a of owner'])
  })

  test('not when something else of it changes', () => {
    const { graph, by } = graphWith(metadata('owner'), metadata('a', [reference('owner')]))
    const changed = metadata('a', [reference('owner')], { labels: { a: 'b' }, resourceVersion: '7' })
    assert.deepEqual(
      by(() => graph.observe(place, changed)),
      [],
    )
    assert.equal(graph.get('a')!.known!.metadata, changed)
  })
})

test('an owner that nobody names any more and nobody has seen is forgotten', () => {
  const { graph } = graphWith(metadata('a', [reference('ghost')]))
  assert.equal(graph.size, 2)
  graph.observe(place, metadata('a'))
  assert.equal(graph.size, 1)
})

test('whatever was observed, the dependents of what is there are those who name it', () => {
  const uids = ['a', 'b', 'c', 'd', 'e']
  const uid = fc.constantFrom(...uids)
  const observing = fc.record({ uid, owners: fc.uniqueArray(uid, { maxLength: 4 }) })
  const forgetting = fc.record({ uid })
  fc.assert(
    fc.property(fc.array(fc.oneof(observing, forgetting), { maxLength: 30 }), (steps) => {
      const { graph } = graphWith()
      const owners = new Map<string, readonly string[]>()
      const gone = new Set<string>()
      for (const step of steps) {
        if (gone.has(step.uid)) continue // no uid comes back
        if ('owners' in step) {
          graph.observe(
            place,
            metadata(
              step.uid,
              step.owners.map((each) => reference(each)),
            ),
          )
          owners.set(step.uid, step.owners)
        } else {
          graph.forget(step.uid)
          owners.delete(step.uid)
          gone.add(step.uid)
        }
      }
      for (const owner of uids.filter((each) => !gone.has(each))) {
        const shown = [...(graph.get(owner)?.dependents ?? [])].map((dependent) => dependent.uid)
        const named = [...owners].filter(([, named]) => named.includes(owner)).map(([dependent]) => dependent)
        assert.deepEqual(shown.sort(), named.sort(), owner)
        assert.equal(graph.get(owner)?.known !== undefined, owners.has(owner))
      }
    }),
  )
})

describe('who waits for whom', () => {
  const circle = (...uids: readonly string[]) =>
    uids.map((uid, i) => metadata(uid, [reference(uids[(i + 1) % uids.length]!)], waiting))

  test('around in a circle, each waits for itself', () => {
    const { graph } = graphWith(...circle('a', 'b', 'c'))
    for (const uid of ['a', 'b', 'c']) assert.ok(isInCycle(graph.get(uid)!))
  })

  test('a circle is broken by one who does not wait, or does not block', () => {
    const { graph } = graphWith(...circle('a', 'b', 'c'), metadata('b', [reference('c')]))
    for (const uid of ['a', 'c']) assert.ok(!isInCycle(graph.get(uid)!), uid)
    const loose = reference('c', { blockOwnerDeletion: false })
    const { graph: other } = graphWith(...circle('a', 'b', 'c'), metadata('b', [loose], waiting))
    for (const uid of ['a', 'b', 'c']) assert.ok(!isInCycle(other.get(uid)!), uid)
  })

  test('who waits for a circle is not in it', () => {
    const { graph } = graphWith(
      ...circle('a', 'b'),
      metadata('above', [], waiting),
      metadata('a', [reference('b'), reference('above')], waiting),
    )
    assert.ok(!isInCycle(graph.get('above')!))
    assert.ok(isInCycle(graph.get('a')!))
  })
})
