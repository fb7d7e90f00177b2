import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TopologySpreadConstraint } from '../../../api/core/v1/pod/spec.js'
import { Service } from '../../../api/core/v1/service.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { AdjustableFilter, PodFilter } from '../../framework/plugin.js'
import {
  cluster,
  filterResults,
  type GivenNode,
  type GivenPod,
  informersOf,
  isHelpful,
  node,
  pod,
  scores,
  testPlugin,
} from '../plugins.test.kit.js'
import { podTopologySpread } from './plugin.js'

const uneven = "node(s) didn't match pod topology spread constraints"
const noLabel = "node(s) didn't match pod topology spread constraints (missing required label) (unresolvable)"
const labels = { app: 'web' }
const matchLabels = labels

function constraint(more: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint {
  const hard = { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' } as const
  return { ...hard, labelSelector: { matchLabels }, ...more }
}

const spread = (constraints: readonly TopologySpreadConstraint[], more: GivenPod = {}) =>
  pod('new', { labels, ...more, spec: { topologySpreadConstraints: constraints, ...more.spec } })

/** A node of a zone with so many pods of the kind. */
const zoned = (name: string, zone: string | undefined, count: number, more: GivenNode = {}) =>
  node(name, {
    ...more,
    labels: { ...(zone !== undefined && { zone }), ...more.labels },
    pods: Array.from({ length: count }, (_, i) => pod(`${name}-${i}`, { labels })),
  })

const plugin = testPlugin(podTopologySpread)

describe('hard constraints', () => {
  test('reject domains that would exceed the maximum skew', () => {
    const snapshot = cluster(zoned('a', 'a', 2), zoned('b1', 'b', 0), zoned('b2', 'b', 1), zoned('none', undefined, 5))
    assert.deepEqual(filterResults(plugin, spread([constraint()]), snapshot), {
      a: uneven,
      b1: 'ok',
      b2: 'ok',
      none: noLabel,
    })
    assert.deepEqual(filterResults(plugin, spread([constraint({ maxSkew: 2 })]), snapshot), {
      a: 'ok',
      b1: 'ok',
      b2: 'ok',
      none: noLabel,
    })
  })

  test('must all hold', () => {
    const snapshot = cluster(zoned('a1', 'a', 1), zoned('a2', 'a', 0), zoned('b1', 'b', 1), zoned('b2', 'b', 1))
    const both = [constraint(), constraint({ topologyKey: 'kubernetes.io/hostname' })]
    assert.deepEqual(filterResults(plugin, spread(both), snapshot), { a1: uneven, a2: 'ok', b1: uneven, b2: uneven })
  })

  test('count only selected pods of the namespace that are not being deleted', () => {
    const others = [
      pod('other', { labels: { app: 'other' } }),
      pod('foreign', { labels, namespace: 'elsewhere' }),
      pod('leaving', { labels, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ]
    const snapshot = cluster(node('a', { labels: { zone: 'a' }, pods: others }), zoned('b', 'b', 0))
    assert.deepEqual(filterResults(plugin, spread([constraint()]), snapshot), { a: 'ok', b: 'ok' })
  })

  test('apply to a pod that they do not select', () => {
    const snapshot = cluster(zoned('a', 'a', 1), zoned('b', 'b', 0))
    const stranger = spread([constraint()], { labels: { app: 'stranger' } })
    assert.deepEqual(filterResults(plugin, stranger, snapshot), { a: 'ok', b: 'ok' })
    assert.deepEqual(filterResults(plugin, stranger, cluster(zoned('a', 'a', 2), zoned('b', 'b', 0))), {
      a: uneven,
      b: 'ok',
    })
  })

  test('assume a minimum of 0 below minDomains', () => {
    const snapshot = cluster(zoned('a', 'a', 1), zoned('b', 'b', 1))
    assert.deepEqual(filterResults(plugin, spread([constraint({ minDomains: 2 })]), snapshot), { a: 'ok', b: 'ok' })
    assert.deepEqual(filterResults(plugin, spread([constraint({ minDomains: 3 })]), snapshot), { a: uneven, b: uneven })
  })

  test('count nodes that match the node affinity, by default', () => {
    const snapshot = cluster(zoned('a', 'a', 1, { labels: { disk: 'ssd' } }), zoned('b', 'b', 0))
    const picky = (policy?: 'Honor' | 'Ignore') =>
      spread([constraint(policy && { nodeAffinityPolicy: policy })], { spec: { nodeSelector: { disk: 'ssd' } } })
    assert.equal(filterResults(plugin, picky(), snapshot).a, 'ok')
    assert.equal(filterResults(plugin, picky('Honor'), snapshot).a, 'ok')
    assert.equal(filterResults(plugin, picky('Ignore'), snapshot).a, uneven)
  })

  test('count nodes with taints, by default', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }] as const
    const snapshot = cluster(zoned('a', 'a', 1), zoned('b', 'b', 0, { taints }))
    const with_ = (policy?: 'Honor' | 'Ignore') => spread([constraint(policy && { nodeTaintsPolicy: policy })])
    assert.equal(filterResults(plugin, with_(), snapshot).a, uneven)
    assert.equal(filterResults(plugin, with_('Ignore'), snapshot).a, uneven)
    assert.equal(filterResults(plugin, with_('Honor'), snapshot).a, 'ok')
  })

  test('do not include soft constraints', () => {
    const soft = spread([constraint({ whenUnsatisfiable: 'ScheduleAnyway' })])
    assert.equal(plugin.preFilter!(soft, cluster()), undefined)
  })
})

describe('an adjustable filter', () => {
  const snapshot = cluster(zoned('a', 'a', 2), zoned('b', 'b', 1), zoned('c', 'c', 1))
  const [a, b, c] = snapshot.nodes as readonly [NodeInfo, NodeInfo, NodeInfo]
  const filter = plugin.preFilter!(spread([constraint()]), snapshot) as PodFilter
  const says = (one: PodFilter) => snapshot.nodes.map((each) => (one.filter(each) ? 'no' : 'ok')).join(' ')

  test('follows added and removed pods', () => {
    const adjusted: AdjustableFilter = filter.adjustable!()
    assert.equal(says(adjusted), 'no ok ok')
    adjusted.removePod(a.pods[0]!, a.withoutPod(a.pods[0]!))
    assert.equal(says(adjusted), 'ok ok ok')
    adjusted.removePod(b.pods[0]!, b.withoutPod(b.pods[0]!))
    assert.equal(says(adjusted), 'no ok no')
    adjusted.removePod(c.pods[0]!, c.withoutPod(c.pods[0]!))
    assert.equal(says(adjusted), 'no ok ok')
    const further = adjusted.adjustable!()
    further.addPod(pod('x', { labels }), b)
    assert.equal(says(further), 'no no ok')
    assert.equal(says(adjusted), 'no ok ok')
  })

  test('does not change the original', () => assert.equal(says(filter), 'no ok ok'))

  test('ignores pods that are not counted', () => {
    const adjusted: AdjustableFilter = filter.adjustable!()
    adjusted.removePod(pod('other', { labels: { app: 'other' } }), a)
    adjusted.removePod(pod('foreign', { labels, namespace: 'elsewhere' }), a)
    adjusted.removePod(pod('leaving', { labels, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), a)
    assert.equal(says(adjusted), 'no ok ok')
  })
})

describe('soft constraints', () => {
  const soft = (more: Partial<TopologySpreadConstraint> = {}) =>
    constraint({ whenUnsatisfiable: 'ScheduleAnyway', ...more })

  test('score domains with fewer pods higher', () => {
    const snapshot = cluster(zoned('a', 'a', 3), zoned('b1', 'b', 1), zoned('b2', 'b', 0), zoned('c', 'c', 0))
    // By zone 3, 1, 1 and 0 pods, times the logarithm of 3 + 2: 5, 2, 2 and 0 when rounded.
    assert.deepEqual(scores(plugin, spread([soft()]), snapshot), { a: 0, b1: 60, b2: 60, c: 100 })
  })

  test('score nodes with fewer pods higher', () => {
    const snapshot = cluster(zoned('a', undefined, 2), zoned('b', undefined, 1), zoned('c', undefined, 0))
    // Pods times the logarithm of 3 + 2: 3, 2 and 0 when rounded.
    const byNode = soft({ topologyKey: 'kubernetes.io/hostname' })
    assert.deepEqual(scores(plugin, spread([byNode]), snapshot), { a: 0, b: 33, c: 100 })
  })

  test('score a node without the label lowest', () => {
    const snapshot = cluster(zoned('a', 'a', 3), zoned('b', 'b', 1), zoned('none', undefined, 0))
    assert.equal(scores(plugin, spread([soft()]), snapshot)!.none, 0)
  })

  test('score all nodes equally without matching pods', () =>
    assert.deepEqual(scores(plugin, spread([soft()]), cluster(zoned('a', 'a', 0), zoned('b', 'b', 0))), {
      a: 100,
      b: 100,
    }))
})

describe('pods without constraints', () => {
  const zone = 'topology.kubernetes.io/zone'
  const at = (name: string, value: string, count: number) =>
    zoned(name, undefined, count, { labels: { [zone]: value } })
  const service = { metadata: { name: 's', namespace: 'default' }, spec: { selector: labels } } as never
  const informers = informersOf([Service, service])
  const withService = testPlugin(podTopologySpread, {}, { informers })

  test('are spread over nodes and zones if a service selects them', () => {
    const snapshot = cluster(at('a', 'a', 2), at('b', 'b', 0))
    const found = scores(withService, pod('new', { labels }), snapshot)!
    assert.ok(found.b! > found.a!)
    assert.equal(scores(plugin, pod('new', { labels }), snapshot), undefined)
  })

  test('are spread by the default constraints of a list', () => {
    const defaultConstraints = [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] as const
    const args = { defaultingType: 'List', defaultConstraints }
    const strict = testPlugin(podTopologySpread, args, { informers })
    assert.deepEqual(filterResults(strict, pod('new', { labels }), cluster(at('a', 'a', 1), at('b', 'b', 0))), {
      a: uneven,
      b: 'ok',
    })
  })

  test('ignore a system default constraint on nodes without its label', () => {
    const snapshot = cluster(at('a', 'a', 2), zoned('none', undefined, 0))
    const found = scores(withService, pod('new', { labels }), snapshot)!
    assert.equal(found.none, 100)
  })
})

describe('queueing hints accept', () => {
  const waiting = spread([constraint()])
  const pods = (actions: readonly ['added' | 'deleted'], other: ReturnType<typeof pod>) =>
    isHelpful(plugin, waiting, { resource: 'AssignedPod', actions, object: other.pod })

  test('added and deleted pods that are selected', () => {
    assert.equal(pods(['added'], pod('x', { labels })), true)
    assert.equal(pods(['deleted'], pod('x', { labels })), true)
    assert.equal(pods(['deleted'], pod('x', { labels: { app: 'other' } })), false)
    assert.equal(pods(['deleted'], pod('x', { labels, namespace: 'elsewhere' })), false)
  })

  test('nodes with the label', () => {
    const nodes = (object: NodeInfo) =>
      isHelpful(plugin, waiting, { resource: 'Node', actions: ['added'], object: object.node })
    assert.equal(nodes(zoned('a', 'a', 0)), true)
    assert.equal(nodes(zoned('none', undefined, 0)), false)
  })
})
