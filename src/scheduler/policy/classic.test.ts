import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Service } from '../../api/core/v1/service.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import type { PodFilter } from '../framework/plugin.js'
import { nodePorts } from '../plugins/node-ports.js'
import { nodeResourcesFit } from '../plugins/node-resources/fit.js'
import { nodeUnschedulable } from '../plugins/node-unschedulable.js'
import { cluster, informersOf, node, pod, scores, verdicts } from '../plugins/plugins.test.kit.js'
import { allFilters } from './all-filters.js'
import { labelPreference, nodeLabels } from './node-label.js'
import { preferAvoidPods } from './prefer-avoid-pods.js'
import { selectorSpread } from './selector-spread.js'
import { serviceAffinity, serviceAntiAffinity } from './service-affinity.js'
import { serviceSelector } from './services.js'

const labels = { app: 'web' }
const web = (name: string) => pod(name, { labels })
const informers = informersOf([
  Service,
  { metadata: { name: 's', namespace: 'default' }, spec: { selector: labels } } as never,
])
const selectorOf = serviceSelector(informers)

describe('labels of nodes', () => {
  const world = cluster(node('a', { labels: { zone: '1' } }), node('b', { labels: { retiring: '' } }), node('c'))
  const no = "node(s) didn't have the requested labels (for good)"

  test('must be there, or must not, whatever they say', () => {
    const present = nodeLabels([{ labels: ['zone'], presence: true }])
    assert.deepEqual(verdicts(present, web('p'), world), { a: 'ok', b: no, c: no })
    const absent = nodeLabels([{ labels: ['retiring'], presence: false }])
    assert.deepEqual(verdicts(absent, web('p'), world), { a: 'ok', b: no, c: 'ok' })
  })

  test('are liked or disliked', () => {
    assert.deepEqual(scores(labelPreference('x', 'zone', true), web('p'), world), { a: 100, b: 0, c: 0 })
    assert.deepEqual(scores(labelPreference('x', 'zone', false), web('p'), world), { a: 0, b: 100, c: 100 })
  })
})

describe('pods of a service', () => {
  const at = (name: string, region: string, count = 0) =>
    node(name, { labels: { region }, pods: Array.from({ length: count }, (_, i) => web(`${name}${i}`)) })
  const no = "node(s) didn't match service affinity (for good)"

  test('stay together', () => {
    const plugin = serviceAffinity(['region'], selectorOf)
    assert.deepEqual(verdicts(plugin, web('p'), cluster(at('a', 'x'), at('b', 'y', 1), at('c', 'y'))), {
      a: no,
      b: 'ok',
      c: 'ok',
    })
    assert.deepEqual(verdicts(plugin, web('p'), cluster(at('a', 'x'), at('b', 'y'))), { a: 'ok', b: 'ok' })
  })

  test('go where they ask for all the same', () => {
    const plugin = serviceAffinity(['region'], selectorOf)
    const picky = pod('p', { labels, spec: { nodeSelector: { region: 'x' } } })
    assert.deepEqual(verdicts(plugin, picky, cluster(at('a', 'x'), at('b', 'y', 1))), { a: 'ok', b: no })
  })

  test('are nothing to others', () => {
    const stranger = pod('p', { labels: { app: 'other' } })
    assert.deepEqual(
      verdicts(serviceAffinity(['region'], selectorOf), stranger, cluster(at('a', 'x'), at('b', 'y', 1))),
      {
        a: 'ok',
        b: 'ok',
      },
    )
  })

  test('are spread over the values of a label', () => {
    const world = cluster(at('a', 'x', 2), at('b', 'x'), at('c', 'y', 1), node('none', { pods: [web('n')] }))
    // Of four pods two are in x and one in y.
    assert.deepEqual(scores(serviceAntiAffinity('x', 'region', selectorOf), web('p'), world), {
      a: 50,
      b: 50,
      c: 75,
      none: 0,
    })
  })
})

describe('pods of a kind', () => {
  const plugin = selectorSpread(() => LabelSelector.ofLabels(labels))
  const at = (name: string, zone: string | undefined, count: number) =>
    node(name, {
      labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone },
      pods: Array.from({ length: count }, (_, i) => web(`${name}${i}`)),
    })

  test('are spread over nodes', () =>
    assert.deepEqual(
      scores(plugin, web('p'), cluster(at('a', undefined, 2), at('b', undefined, 1), at('c', undefined, 0))),
      {
        a: 0,
        b: 50,
        c: 100,
      },
    ))

  test('are spread over zones twice as much', () =>
    assert.deepEqual(scores(plugin, web('p'), cluster(at('a', 'x', 2), at('b', 'x', 0), at('c', 'y', 1))), {
      a: 0,
      b: 33,
      c: 50,
    }))

  test('are left alone if they say themselves how', () => {
    const constraint = { topologyKey: 'x', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' } as const
    assert.equal(
      scores(plugin, pod('p', { labels, spec: { topologySpreadConstraints: [constraint] } }), cluster()),
      undefined,
    )
  })
})

test('a node may avoid the pods of a controller', () => {
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
  const world = cluster(avoiding, broken, node('other'))
  assert.deepEqual(scores(preferAvoidPods(), of('u'), world), { shy: 0, broken: 100, other: 100 })
  assert.deepEqual(scores(preferAvoidPods(), of('v'), world), { shy: 100, broken: 100, other: 100 })
  assert.equal(scores(preferAvoidPods(), web('p'), world), undefined)
})

describe('all rules at once', () => {
  const plugin = allFilters([nodeUnschedulable(), nodePorts(), nodeResourcesFit()])
  const containers = [
    { name: 'c', image: 'web', ports: [{ containerPort: 1, hostPort: 80 }], resources: { requests: { cpu: '1' } } },
  ]
  const holder = pod('holder', { spec: { containers } })
  const wanting = pod('p', { spec: { containers } })

  test('tell everything that is wrong with a node', () => {
    const world = cluster(
      node('busy', { allocatable: { cpu: '1' }, pods: [holder] }),
      node('closed', { allocatable: { cpu: '1' }, pods: [holder], spec: { unschedulable: true } }),
      node('good'),
    )
    const ports = "node(s) didn't have free ports for the requested pod ports"
    assert.deepEqual(verdicts(plugin, wanting, world), {
      busy: `${ports}, Insufficient cpu`,
      closed: `node(s) were unschedulable, ${ports}, Insufficient cpu (for good)`,
      good: 'ok',
    })
  })

  test('can be asked what if', () => {
    const busy = node('busy', { allocatable: { cpu: '1' }, pods: [holder] })
    const adjusted = (plugin.preFilter!(wanting, cluster(busy)) as PodFilter).adjustable!()
    const left = busy.withoutPod(busy.pods[0]!)
    adjusted.removePod(busy.pods[0]!, left)
    assert.equal(adjusted.filter(left), undefined)
  })
})
