import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { podInfo, sampleNode, samplePod } from '../scheduler.test.kit.js'
import { ClusterCache } from './cluster-cache.js'
import type { ClusterSnapshot } from './snapshot.js'

function podsOn({ nodes }: ClusterSnapshot): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(nodes.map(({ name, pods }) => [name, pods.map(({ uid }) => uid).sort()]))
}

test('an assumed pod counts at once, and only once when it is confirmed', () => {
  const cache = new ClusterCache()
  cache.putNode(sampleNode('na'))
  cache.assume(podInfo('p', { requests: { cpu: '1' } }), 'na')
  assert.equal(cache.snapshot().get('na')?.requested.milliCpu, 1000)
  const bound = samplePod('p', { requests: { cpu: '1' }, spec: { nodeName: 'na' } })
  cache.putPod(bound)
  cache.putPod(bound)
  assert.equal(cache.isAssumed('p'), false)
  assert.equal(cache.snapshot().get('na')?.requested.milliCpu, 1000)
})

test('a pod that another scheduler bound counts on its real node', () => {
  const cache = new ClusterCache()
  for (const name of ['na', 'nb']) cache.putNode(sampleNode(name))
  cache.assume(podInfo('p'), 'na')
  cache.putPod(samplePod('p', { spec: { nodeName: 'nb' } }))
  assert.deepEqual(podsOn(cache.snapshot()), { na: [], nb: ['p'] })
})

test('forget does not remove a confirmed pod', () => {
  const cache = new ClusterCache()
  cache.putNode(sampleNode('na'))
  cache.assume(podInfo('p'), 'na')
  cache.putPod(samplePod('p', { spec: { nodeName: 'na' } }))
  cache.forget('p')
  assert.deepEqual(podsOn(cache.snapshot()), { na: ['p'] })
  cache.assume(podInfo('q'), 'na')
  cache.forget('q')
  assert.deepEqual(podsOn(cache.snapshot()), { na: ['p'] })
})

test('a pod cannot be assumed twice', () => {
  const cache = new ClusterCache()
  cache.assume(podInfo('p'), 'na')
  assert.throws(() => cache.assume(podInfo('p'), 'nb'), /already in the cache/)
})

test('pods may arrive before their node, and outlive it', () => {
  const cache = new ClusterCache()
  cache.putPod(samplePod('p', { spec: { nodeName: 'na' } }))
  assert.equal(cache.snapshot().size, 0)
  cache.putNode(sampleNode('na'))
  assert.deepEqual(podsOn(cache.snapshot()), { na: ['p'] })
  cache.removeNode('na')
  cache.putNode(sampleNode('na'))
  assert.deepEqual(podsOn(cache.snapshot()), { na: ['p'] })
  cache.removeNode('na')
  cache.removePod('p')
  cache.putNode(sampleNode('na'))
  assert.deepEqual(podsOn(cache.snapshot()), { na: [] })
})

test('a snapshot is immutable, and the next one shares unchanged nodes', () => {
  const cache = new ClusterCache()
  for (const name of ['na', 'nb']) cache.putNode(sampleNode(name))
  const before = cache.snapshot()
  assert.equal(cache.snapshot(), before)
  cache.assume(podInfo('p'), 'na')
  const after = cache.snapshot()
  assert.deepEqual(podsOn(before), { na: [], nb: [] })
  assert.deepEqual(podsOn(after), { na: ['p'], nb: [] })
  assert.equal(after.get('nb'), before.get('nb'))
})

test('the nodes of all zones take turns', () => {
  const cache = new ClusterCache()
  for (const [name, zone] of [
    ['a1', 'a'],
    ['a2', 'a'],
    ['a3', 'a'],
    ['b1', 'b'],
    ['c1', 'c'],
  ] as const)
    cache.putNode(sampleNode(name, { labels: { 'topology.kubernetes.io/zone': zone } }))
  assert.deepEqual(
    cache.snapshot().nodes.map(({ name }) => name),
    ['a1', 'b1', 'c1', 'a2', 'a3'],
  )
})

test('a snapshot counts the nodes of an image', () => {
  const cache = new ClusterCache()
  const images = [{ names: ['image:1'], sizeBytes: 5 }]
  for (const name of ['na', 'nb']) cache.putNode(sampleNode(name, { images }))
  const before = cache.snapshot()
  cache.putNode(sampleNode('nb'))
  assert.deepEqual([before.imageNodes('image:1'), cache.snapshot().imageNodes('image:1')], [2, 1])
  cache.removeNode('na')
  assert.equal(cache.snapshot().imageNodes('image:1'), 0)
})

test('a snapshot lists the nodes of pods with affinity terms', () => {
  const cache = new ClusterCache()
  for (const name of ['na', 'nb']) cache.putNode(sampleNode(name))
  const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'web' } } }
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] }
  cache.assume(podInfo('near', { spec: { affinity: { podAffinity: required } } }), 'na')
  cache.assume(podInfo('far', { spec: { affinity: { podAntiAffinity: required } } }), 'nb')
  const before = cache.snapshot()
  cache.removePod('far')
  const after = cache.snapshot()
  const seen = [before, after].map(({ withAffinity, withRequiredAntiAffinity }) =>
    [withAffinity, withRequiredAntiAffinity].map((nodes) => nodes.map(({ name }) => name)),
  )
  assert.deepEqual(seen, [
    [['na', 'nb'], ['nb']],
    [['na'], []],
  ])
  cache.removeNode('na')
  assert.deepEqual(cache.snapshot().withAffinity, [])
})

const nodeNames = ['na', 'nb', 'nc'] as const
const podNames = ['p', 'q', 'r', 's'] as const
const action = fc.oneof(
  fc.record({ do: fc.constantFrom('putNode', 'removeNode', 'snapshot'), node: fc.constantFrom(...nodeNames) }),
  fc.record({
    do: fc.constantFrom('assume', 'putPod', 'removePod', 'forget'),
    node: fc.constantFrom(...nodeNames),
    pod: fc.constantFrom(...podNames),
    cpu: fc.constantFrom('1', '2'),
  }),
)

/** The simplest possible cache. */
class CacheModel {
  readonly nodes = new Set<string>()
  readonly pods = new Map<string, { readonly node: string; readonly cpu: string; readonly isAssumed: boolean }>()

  view(): object {
    return Object.fromEntries(
      [...this.nodes].sort().map((name) => {
        const here = [...this.pods].filter(([, { node }]) => node === name)
        const milliCpu = here.reduce((sum, [, { cpu }]) => sum + 1000 * Number(cpu), 0)
        return [name, { pods: here.map(([uid]) => uid).sort(), milliCpu }]
      }),
    )
  }
}

test('after any sequence of calls a snapshot equals a simple model', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
      const cache = new ClusterCache()
      const model = new CacheModel()
      for (const each of actions) {
        apply(each, cache, model)
        const seen = cache.snapshot().nodes.map(({ name, pods, requested }) => {
          return [name, { pods: pods.map(({ uid }) => uid).sort(), milliCpu: requested.milliCpu }] as const
        })
        assert.deepEqual(Object.fromEntries([...seen].sort(([left], [right]) => (left < right ? -1 : 1))), model.view())
      }
    }),
  )
})

type Action = typeof action extends fc.Arbitrary<infer T> ? T : never

function apply(each: Action, cache: ClusterCache, model: CacheModel): void {
  if (!('pod' in each)) {
    if (each.do === 'putNode') cache.putNode(sampleNode(each.node))
    if (each.do === 'removeNode') cache.removeNode(each.node)
    if (each.do === 'putNode') model.nodes.add(each.node)
    if (each.do === 'removeNode') model.nodes.delete(each.node)
    return
  }
  const { node, cpu } = each
  const parts = { requests: { cpu }, metadata: { generation: Number(cpu) } }
  const known = model.pods.get(each.pod)
  if (each.do === 'assume' && !known) {
    cache.assume(podInfo(each.pod, parts), node)
    model.pods.set(each.pod, { node, cpu, isAssumed: true })
  } else if (each.do === 'putPod') {
    cache.putPod(samplePod(each.pod, { ...parts, spec: { nodeName: node } }))
    model.pods.set(each.pod, { node, cpu, isAssumed: false })
  } else if (each.do === 'removePod') {
    cache.removePod(each.pod)
    model.pods.delete(each.pod)
  } else if (each.do === 'forget') {
    cache.forget(each.pod)
    if (known?.isAssumed) model.pods.delete(each.pod)
  }
}
