import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Service } from '../../api/core/v1/service.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { PodFilter } from '../framework/plugin.js'
import { nodePorts } from '../plugins/node-ports.js'
import { nodeResourcesFit } from '../plugins/node-resources/fit.js'
import { nodeUnschedulable } from '../plugins/node-unschedulable.js'
import { cluster, filterResults, informersOf, node, pod, scores, testPlugin } from '../plugins/plugins.test.kit.js'
import { allFilters } from './all-filters.js'
import { labelPreference, nodeLabels } from './node-label.js'
import { preferAvoidPods } from './prefer-avoid-pods.js'
import { selectorSpread } from './selector-spread.js'
import { serviceAffinity, serviceAntiAffinity, serviceSelector } from './service-affinity.js'

const labels = { app: 'web' }
const web = (name: string) => pod(name, { labels })
const informers = informersOf([
  Service,
  { metadata: { name: 's', namespace: 'default' }, spec: { selector: labels } } as never,
])
const selectorOf = serviceSelector(informers)

describe('node label priorities and predicates', () => {
  const snapshot = cluster(node('a', { labels: { zone: '1' } }), node('b', { labels: { retiring: '' } }), node('c'))
  const no = "node(s) didn't have the requested labels (unresolvable)"

  test('require labels to be present or absent', () => {
    const present = nodeLabels([{ labels: ['zone'], presence: true }])
    assert.deepEqual(filterResults(present, web('p'), snapshot), { a: 'ok', b: no, c: no })
    const absent = nodeLabels([{ labels: ['retiring'], presence: false }])
    assert.deepEqual(filterResults(absent, web('p'), snapshot), { a: 'ok', b: no, c: 'ok' })
  })

  test('score nodes with or without a label', () => {
    assert.deepEqual(scores(labelPreference('x', 'zone', true), web('p'), snapshot), { a: 100, b: 0, c: 0 })
    assert.deepEqual(scores(labelPreference('x', 'zone', false), web('p'), snapshot), { a: 0, b: 100, c: 100 })
  })
})

describe('the pods of a service', () => {
  const at = (name: string, region: string, count = 0) =>
    node(name, { labels: { region }, pods: Array.from({ length: count }, (_, i) => web(`${name}${i}`)) })
  const no = "node(s) didn't match service affinity (unresolvable)"

  test('stay on nodes with the same label values', () => {
    const plugin = serviceAffinity(['region'], selectorOf)
    assert.deepEqual(filterResults(plugin, web('p'), cluster(at('a', 'x'), at('b', 'y', 1), at('c', 'y'))), {
      a: no,
      b: 'ok',
      c: 'ok',
    })
    assert.deepEqual(filterResults(plugin, web('p'), cluster(at('a', 'x'), at('b', 'y'))), { a: 'ok', b: 'ok' })
  })

  test('follow their own node selector first', () => {
    const plugin = serviceAffinity(['region'], selectorOf)
    const picky = pod('p', { labels, spec: { nodeSelector: { region: 'x' } } })
    assert.deepEqual(filterResults(plugin, picky, cluster(at('a', 'x'), at('b', 'y', 1))), { a: 'ok', b: no })
  })

  test('do not affect other pods', () => {
    const stranger = pod('p', { labels: { app: 'other' } })
    assert.deepEqual(
      filterResults(serviceAffinity(['region'], selectorOf), stranger, cluster(at('a', 'x'), at('b', 'y', 1))),
      {
        a: 'ok',
        b: 'ok',
      },
    )
  })

  test('are spread over the values of a label', () => {
    const snapshot = cluster(at('a', 'x', 2), at('b', 'x'), at('c', 'y', 1), node('none', { pods: [web('n')] }))
    // Of four pods two are in x and one in y.
    assert.deepEqual(scores(serviceAntiAffinity('x', 'region', selectorOf), web('p'), snapshot), {
      a: 50,
      b: 50,
      c: 75,
      none: 0,
    })
  })
})

describe('SelectorSpread', () => {
  const plugin = selectorSpread(() => LabelSelector.ofLabels(labels))
  const at = (name: string, zone: string | undefined, count: number) =>
    node(name, {
      labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone },
      pods: Array.from({ length: count }, (_, i) => web(`${name}${i}`)),
    })

  test('spreads over nodes', () =>
    assert.deepEqual(
      scores(plugin, web('p'), cluster(at('a', undefined, 2), at('b', undefined, 1), at('c', undefined, 0))),
      {
        a: 0,
        b: 50,
        c: 100,
      },
    ))

  test('gives zones two thirds of the score', () =>
    assert.deepEqual(scores(plugin, web('p'), cluster(at('a', 'x', 2), at('b', 'x', 0), at('c', 'y', 1))), {
      a: 0,
      b: 33,
      c: 50,
    }))

  test('skips pods with spread constraints', () => {
    const constraint = { topologyKey: 'x', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' } as const
    assert.equal(
      scores(plugin, pod('p', { labels, spec: { topologySpreadConstraints: [constraint] } }), cluster()),
      undefined,
    )
  })
})

test('NodePreferAvoidPods scores a node lowest for the controllers in its annotation', () => {
  const signature = { podSignature: { podController: { kind: 'ReplicaSet', uid: 'u' } } }
  const annotations = {
    'scheduler.alpha.kubernetes.io/preferAvoidPods': JSON.stringify({ preferAvoidPods: [signature] }),
  }
  const shy = node('shy')
  const avoiding = shy.withNode({ ...shy.node, metadata: { ...shy.node.metadata, annotations } })
  const broken = shy.withNode({
    ...shy.node,
    metadata: { name: 'broken', annotations: { 'scheduler.alpha.kubernetes.io/preferAvoidPods': '{' } },
  })
  const of = (uid: string) =>
    pod('p', {
      metadata: { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid, controller: true }] },
    })
  const snapshot = cluster(avoiding, broken, node('other'))
  assert.deepEqual(scores(preferAvoidPods(), of('u'), snapshot), { shy: 0, broken: 100, other: 100 })
  assert.deepEqual(scores(preferAvoidPods(), of('v'), snapshot), { shy: 100, broken: 100, other: 100 })
  assert.equal(scores(preferAvoidPods(), web('p'), snapshot), undefined)
})

describe('alwaysCheckAllPredicates', () => {
  const plugin = allFilters([testPlugin(nodeUnschedulable), testPlugin(nodePorts), testPlugin(nodeResourcesFit)])
  const containers = [
    { name: 'c', image: 'web', ports: [{ containerPort: 1, hostPort: 80 }], resources: { requests: { cpu: '1' } } },
  ]
  const holder = pod('holder', { spec: { containers } })
  const wanting = pod('p', { spec: { containers } })

  test('gives all reasons against a node', () => {
    const snapshot = cluster(
      node('busy', { allocatable: { cpu: '1' }, pods: [holder] }),
      node('closed', { allocatable: { cpu: '1' }, pods: [holder], spec: { unschedulable: true } }),
      node('good'),
    )
    const ports = "node(s) didn't have free ports for the requested pod ports"
    assert.deepEqual(filterResults(plugin, wanting, snapshot), {
      busy: `${ports}, Insufficient cpu`,
      closed: `node(s) were unschedulable, ${ports}, Insufficient cpu (unresolvable)`,
      good: 'ok',
    })
  })

  test('has an adjustable filter', () => {
    const busy = node('busy', { allocatable: { cpu: '1' }, pods: [holder] })
    const adjusted = (plugin.preFilter!(wanting, cluster(busy)) as PodFilter).adjustable!()
    const left = busy.withoutPod(busy.pods[0]!)
    adjusted.removePod(busy.pods[0]!, left)
    assert.equal(adjusted.filter(left), undefined)
  })
})
