import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TopologySpreadConstraint } from '../../../api/core/v1/pod/spec.js'
import { LabelSelector } from '../../../api/selectors/label-selector.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { AdjustableFilter, PodFilter } from '../../framework/plugin.js'
import { cluster, type GivenNode, type GivenPod, helps, node, pod, scores, verdicts } from '../plugins.test.kit.js'
import { topologySpread } from './plugin.js'

const uneven = "node(s) didn't match pod topology spread constraints"
const noLabel = "node(s) didn't match pod topology spread constraints (missing required label) (for good)"
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

const plugin = topologySpread({ selectorOf: () => undefined })

describe('pods are spread', () => {
  test('so that no zone has more of them than the emptiest by more than the skew', () => {
    const world = cluster(zoned('a', 'a', 2), zoned('b1', 'b', 0), zoned('b2', 'b', 1), zoned('none', undefined, 5))
    assert.deepEqual(verdicts(plugin, spread([constraint()]), world), { a: uneven, b1: 'ok', b2: 'ok', none: noLabel })
    assert.deepEqual(verdicts(plugin, spread([constraint({ maxSkew: 2 })]), world), {
      a: 'ok',
      b1: 'ok',
      b2: 'ok',
      none: noLabel,
    })
  })

  test('by several constraints, all of which must hold', () => {
    const world = cluster(zoned('a1', 'a', 1), zoned('a2', 'a', 0), zoned('b1', 'b', 1), zoned('b2', 'b', 1))
    const both = [constraint(), constraint({ topologyKey: 'kubernetes.io/hostname' })]
    assert.deepEqual(verdicts(plugin, spread(both), world), { a1: uneven, a2: 'ok', b1: uneven, b2: uneven })
  })

  test('where only pods count that are meant, of the same namespace, and not on their way out', () => {
    const others = [
      pod('other', { labels: { app: 'other' } }),
      pod('foreign', { labels, namespace: 'elsewhere' }),
      pod('leaving', { labels, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    ]
    const world = cluster(node('a', { labels: { zone: 'a' }, pods: others }), zoned('b', 'b', 0))
    assert.deepEqual(verdicts(plugin, spread([constraint()]), world), { a: 'ok', b: 'ok' })
  })

  test('also by a pod that is not one of them', () => {
    const world = cluster(zoned('a', 'a', 1), zoned('b', 'b', 0))
    const stranger = spread([constraint()], { labels: { app: 'stranger' } })
    assert.deepEqual(verdicts(plugin, stranger, world), { a: 'ok', b: 'ok' })
    assert.deepEqual(verdicts(plugin, stranger, cluster(zoned('a', 'a', 2), zoned('b', 'b', 0))), {
      a: uneven,
      b: 'ok',
    })
  })

  test('as if the emptiest had none while there are too few zones', () => {
    const world = cluster(zoned('a', 'a', 1), zoned('b', 'b', 1))
    assert.deepEqual(verdicts(plugin, spread([constraint({ minDomains: 2 })]), world), { a: 'ok', b: 'ok' })
    assert.deepEqual(verdicts(plugin, spread([constraint({ minDomains: 3 })]), world), { a: uneven, b: uneven })
  })

  test('over nodes that the pod may be on, unless told otherwise', () => {
    const world = cluster(zoned('a', 'a', 1, { labels: { disk: 'ssd' } }), zoned('b', 'b', 0))
    const picky = (policy?: 'Honor' | 'Ignore') =>
      spread([constraint(policy && { nodeAffinityPolicy: policy })], { spec: { nodeSelector: { disk: 'ssd' } } })
    assert.equal(verdicts(plugin, picky(), world).a, 'ok')
    assert.equal(verdicts(plugin, picky('Honor'), world).a, 'ok')
    assert.equal(verdicts(plugin, picky('Ignore'), world).a, uneven)
  })

  test('over nodes with taints too, unless told otherwise', () => {
    const taints = [{ key: 'gpu', effect: 'NoSchedule' }] as const
    const world = cluster(zoned('a', 'a', 1), zoned('b', 'b', 0, { taints }))
    const with_ = (policy?: 'Honor' | 'Ignore') => spread([constraint(policy && { nodeTaintsPolicy: policy })])
    assert.equal(verdicts(plugin, with_(), world).a, uneven)
    assert.equal(verdicts(plugin, with_('Ignore'), world).a, uneven)
    assert.equal(verdicts(plugin, with_('Honor'), world).a, 'ok')
  })

  test('not at all if they ask for nothing that is hard', () => {
    const soft = spread([constraint({ whenUnsatisfiable: 'ScheduleAnyway' })])
    assert.equal(plugin.preFilter!(soft, cluster()), undefined)
  })
})

describe('what if pods came and went', () => {
  const world = cluster(zoned('a', 'a', 2), zoned('b', 'b', 1), zoned('c', 'c', 1))
  const [a, b, c] = world.nodes as readonly [NodeInfo, NodeInfo, NodeInfo]
  const filter = plugin.preFilter!(spread([constraint()]), world) as PodFilter
  const says = (one: PodFilter) => world.nodes.map((each) => (one.filter(each) ? 'no' : 'ok')).join(' ')

  test('the skew is that of then', () => {
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

  test('others are not touched by it', () => assert.equal(says(filter), 'no ok ok'))

  test('pods that do not count change nothing', () => {
    const adjusted: AdjustableFilter = filter.adjustable!()
    adjusted.removePod(pod('other', { labels: { app: 'other' } }), a)
    adjusted.removePod(pod('foreign', { labels, namespace: 'elsewhere' }), a)
    adjusted.removePod(pod('leaving', { labels, metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }), a)
    assert.equal(says(adjusted), 'no ok ok')
  })
})

describe('where skew is only disliked', () => {
  const soft = (more: Partial<TopologySpreadConstraint> = {}) =>
    constraint({ whenUnsatisfiable: 'ScheduleAnyway', ...more })

  test('a node scores better in a zone with fewer pods', () => {
    const world = cluster(zoned('a', 'a', 3), zoned('b1', 'b', 1), zoned('b2', 'b', 0), zoned('c', 'c', 0))
    // By zone 3, 1, 1 and 0 pods, times the logarithm of 3 + 2: 5, 2, 2 and 0 when rounded.
    assert.deepEqual(scores(plugin, spread([soft()]), world), { a: 0, b1: 60, b2: 60, c: 100 })
  })

  test('a node scores better if it has fewer pods itself', () => {
    const world = cluster(zoned('a', undefined, 2), zoned('b', undefined, 1), zoned('c', undefined, 0))
    // Pods times the logarithm of 3 + 2: 3, 2 and 0 when rounded.
    const byNode = soft({ topologyKey: 'kubernetes.io/hostname' })
    assert.deepEqual(scores(plugin, spread([byNode]), world), { a: 0, b: 33, c: 100 })
  })

  test('a node outside of all zones is the worst', () => {
    const world = cluster(zoned('a', 'a', 3), zoned('b', 'b', 1), zoned('none', undefined, 0))
    assert.equal(scores(plugin, spread([soft()]), world)!.none, 0)
  })

  test('nodes are alike where there is none of them', () =>
    assert.deepEqual(scores(plugin, spread([soft()]), cluster(zoned('a', 'a', 0), zoned('b', 'b', 0))), {
      a: 100,
      b: 100,
    }))
})

describe('pods that say nothing', () => {
  const zone = 'topology.kubernetes.io/zone'
  const at = (name: string, value: string, count: number) =>
    zoned(name, undefined, count, { labels: { [zone]: value } })
  const selectorOf = () => LabelSelector.from({ matchLabels })

  test('are spread over nodes and zones all the same, if they are one of several', () => {
    const world = cluster(at('a', 'a', 2), at('b', 'b', 0))
    const found = scores(topologySpread({ selectorOf }), pod('new', { labels }), world)!
    assert.ok(found.b! > found.a!)
    assert.equal(scores(plugin, pod('new', { labels }), world), undefined)
  })

  test('are spread as a list says instead', () => {
    const defaultConstraints = [{ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' }] as const
    const strict = topologySpread({ selectorOf, defaultConstraints })
    assert.deepEqual(verdicts(strict, pod('new', { labels }), cluster(at('a', 'a', 1), at('b', 'b', 0))), {
      a: uneven,
      b: 'ok',
    })
  })

  test('count a node without the label as one without that constraint', () => {
    const world = cluster(at('a', 'a', 2), zoned('none', undefined, 0))
    const found = scores(topologySpread({ selectorOf }), pod('new', { labels }), world)!
    assert.equal(found.none, 100)
  })
})

describe('a refused pod is helped', () => {
  const waiting = spread([constraint()])
  const pods = (actions: readonly ['added' | 'deleted'], other: ReturnType<typeof pod>) =>
    helps(plugin, waiting, { resource: 'AssignedPod', actions, object: other.pod })

  test('by pods of the kind that come and go', () => {
    assert.equal(pods(['added'], pod('x', { labels })), true)
    assert.equal(pods(['deleted'], pod('x', { labels })), true)
    assert.equal(pods(['deleted'], pod('x', { labels: { app: 'other' } })), false)
    assert.equal(pods(['deleted'], pod('x', { labels, namespace: 'elsewhere' })), false)
  })

  test('by nodes with the label', () => {
    const nodes = (object: NodeInfo) =>
      helps(plugin, waiting, { resource: 'Node', actions: ['added'], object: object.node })
    assert.equal(nodes(zoned('a', 'a', 0)), true)
    assert.equal(nodes(zoned('none', undefined, 0)), false)
  })
})
