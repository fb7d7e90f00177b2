import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Affinity, PodAffinityTerm } from '../../../api/core/v1/affinity.js'
import { Namespace } from '../../../api/core/v1/namespace.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { AdjustableFilter, PodFilter } from '../../framework/plugin.js'
import {
  cluster,
  filterResults,
  type GivenPod,
  informersOf,
  isHelpful,
  node,
  pod,
  scores,
  testPlugin,
} from '../plugins.test.kit.js'
import { interPodAffinity } from './plugin.js'

const notNear = "node(s) didn't match pod affinity rules (unresolvable)"
const tooNear = "node(s) didn't match pod anti-affinity rules"
const unwanted = "node(s) didn't satisfy existing pods anti-affinity rules"

const informers = informersOf(
  [Namespace, { metadata: { name: 'default' } }],
  [Namespace, { metadata: { name: 'blue', labels: { team: 'blue' } } }],
)
const plugin = testPlugin(interPodAffinity, {}, { informers })

const term = (app: string, more: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  topologyKey: 'zone',
  labelSelector: { matchLabels: { app } },
  ...more,
})
const near = (...terms: readonly PodAffinityTerm[]): Affinity => ({
  podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
})
const away = (...terms: readonly PodAffinityTerm[]): Affinity => ({
  podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms },
})
const app = (name: string, affinity?: Affinity, more: GivenPod = {}) =>
  pod(name, { labels: { app: name }, ...(affinity && { spec: { affinity } }), ...more })
const at = (name: string, zone: string | undefined, ...pods: readonly PodInfo[]) =>
  node(name, { pods, labels: { ...(zone !== undefined && { zone }) } })

describe('required pod affinity', () => {
  const snapshot = cluster(at('a1', 'a', app('db')), at('a2', 'a'), at('b', 'b', app('cache')), at('none', undefined))

  test('accepts the domain of a matching pod', () =>
    assert.deepEqual(filterResults(plugin, app('web', near(term('db'))), snapshot), {
      a1: 'ok',
      a2: 'ok',
      b: notNear,
      none: notNear,
    }))

  test('needs one pod that matches all terms', () => {
    const both = near(term('db'), { ...term('db'), labelSelector: { matchLabels: { tier: 'back' } } })
    assert.equal(filterResults(plugin, app('web', both), snapshot).a1, notNear)
    const tiered = cluster(at('a1', 'a', app('db', undefined, { labels: { app: 'db', tier: 'back' } })))
    assert.equal(filterResults(plugin, app('web', both), tiered).a1, 'ok')
  })

  test('rejects all nodes if no pod matches', () =>
    assert.deepEqual(
      new Set(Object.values(filterResults(plugin, app('web', near(term('nobody'))), snapshot))),
      new Set([notNear]),
    ))

  test('accepts the first pod of a group on nodes with the topology key', () =>
    assert.deepEqual(filterResults(plugin, app('self', near(term('self'))), snapshot), {
      a1: 'ok',
      a2: 'ok',
      b: 'ok',
      none: notNear,
    }))

  test('accepts only one first pod of a group', () => {
    const second = cluster(at('a', 'a', app('self', undefined, { metadata: { uid: 'first' } })), at('b', 'b'))
    assert.deepEqual(filterResults(plugin, app('self', near(term('self'))), second), { a: 'ok', b: notNear })
  })
})

describe('required pod anti-affinity', () => {
  test('rejects the domains of matching pods', () => {
    const snapshot = cluster(at('a1', 'a', app('db')), at('a2', 'a'), at('b', 'b'), at('none', undefined))
    const shy = app('web', away(term('db'), term('cache')))
    assert.deepEqual(filterResults(plugin, shy, snapshot), { a1: tooNear, a2: tooNear, b: 'ok', none: 'ok' })
  })

  test('of existing pods rejects their domains', () => {
    const snapshot = cluster(at('a1', 'a', app('hermit', away(term('web')))), at('a2', 'a'), at('b', 'b'))
    assert.deepEqual(filterResults(plugin, app('web'), snapshot), { a1: unwanted, a2: unwanted, b: 'ok' })
    assert.deepEqual(filterResults(plugin, app('other'), snapshot), { a1: 'ok', a2: 'ok', b: 'ok' })
  })
})

describe('the namespaces of a term', () => {
  const foreign = app('db', undefined, { namespace: 'blue' })
  const snapshot = cluster(at('a', 'a', foreign))
  const says = (more: Partial<PodAffinityTerm>) => filterResults(plugin, app('web', near(term('db', more))), snapshot).a

  test('are the own namespace by default', () => {
    assert.equal(says({}), notNear)
    assert.equal(says({ namespaces: ['blue'] }), 'ok')
  })

  test('can be selected by labels', () => {
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'blue' } } }), 'ok')
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'red' } } }), notNear)
    assert.equal(says({ namespaceSelector: {} }), 'ok')
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'red' } }, namespaces: ['blue'] }), 'ok')
  })

  test('can be selected by labels in terms of existing pods', () => {
    const hermit = app('hermit', away(term('web', { namespaceSelector: { matchLabels: { team: 'blue' } } })))
    const there = cluster(at('a', 'a', hermit))
    assert.equal(filterResults(plugin, app('web', undefined, { namespace: 'blue' }), there).a, unwanted)
    assert.equal(filterResults(plugin, app('web'), there).a, 'ok')
  })
})

describe('an adjustable filter', () => {
  const hermit = app('hermit', away(term('web')))
  const snapshot = cluster(
    at('a', 'a', hermit, app('db')),
    at('b', 'b', app('db', undefined, { metadata: { uid: 'db2' } })),
  )
  const [a] = snapshot.nodes as readonly [NodeInfo, NodeInfo]
  const says = (one: PodFilter) => snapshot.nodes.map((each) => one.filter(each)?.reasons[0] ?? 'ok')

  test('follows removed and added pods with anti-affinity', () => {
    const adjusted = (plugin.preFilter!(app('web'), snapshot) as PodFilter).adjustable!() as AdjustableFilter
    assert.deepEqual(says(adjusted), [unwanted, 'ok'])
    adjusted.removePod(a.pods[0]!, a)
    assert.deepEqual(says(adjusted), ['ok', 'ok'])
    const further = adjusted.adjustable!()
    further.addPod(a.pods[0]!, a)
    assert.deepEqual(says(further), [unwanted, 'ok'])
    assert.deepEqual(says(adjusted), ['ok', 'ok'])
  })

  test('follows an added pod if there was none before', () => {
    const empty = cluster(at('a', 'a'), at('b', 'b'))
    const adjusted = (plugin.preFilter!(app('web'), empty) as PodFilter).adjustable!() as AdjustableFilter
    adjusted.addPod(hermit, empty.nodes[0]!)
    assert.deepEqual(says(adjusted), [unwanted, 'ok'])
  })

  test('follows removed pods that match its terms', () => {
    const shy = (plugin.preFilter!(app('x', away(term('db'))), snapshot) as PodFilter).adjustable!() as AdjustableFilter
    shy.removePod(a.pods[1]!, a)
    assert.deepEqual(says(shy), ['ok', tooNear])
    const social = (plugin.preFilter!(app('x', near(term('db'))), snapshot) as PodFilter)
      .adjustable!() as AdjustableFilter
    social.removePod(a.pods[1]!, a)
    assert.deepEqual(says(social), [notNear.replace(' (unresolvable)', ''), 'ok'])
  })
})

describe('preferred pod affinity', () => {
  const weighted = (weight: number, podAffinityTerm: PodAffinityTerm) => ({ weight, podAffinityTerm })
  const snapshot = cluster(
    at('a', 'a', app('db'), app('cache')),
    at('b', 'b', app('db', undefined, { metadata: { uid: 'db2' } })),
    at('c', 'c'),
  )

  test('scores by the weights of affinity and anti-affinity', () => {
    const affinity: Affinity = {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [weighted(10, term('db')), weighted(5, term('cache'))],
      },
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(25, term('cache'))] },
    }
    // a: 10 + 5 - 25, b: 10, c: 0.
    assert.deepEqual(scores(plugin, app('web', affinity), snapshot), { a: 0, b: 100, c: 50 })
  })

  test('of existing pods counts, unless it is ignored', () => {
    const fan: Affinity = {
      podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(7, term('web'))] },
    }
    const foe: Affinity = {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(7, term('web'))] },
    }
    const there = cluster(at('a', 'a', app('fan', fan)), at('b', 'b', app('foe', foe)), at('c', 'c'))
    assert.deepEqual(scores(plugin, app('web'), there), { a: 100, b: 0, c: 50 })
    const ignoring = testPlugin(interPodAffinity, { ignorePreferredTermsOfExistingPods: true }, { informers })
    assert.equal(scores(ignoring, app('web'), there), undefined)
  })

  test('counts required terms of existing pods with the configured weight', () => {
    const there = cluster(at('a', 'a', app('follower', near(term('web')))), at('b', 'b'))
    assert.deepEqual(scores(plugin, app('web'), there), { a: 100, b: 0 })
    assert.equal(
      scores(testPlugin(interPodAffinity, { hardPodAffinityWeight: 0 }, { informers }), app('web'), there),
      undefined,
    )
  })

  test('does not score without terms', () => assert.equal(scores(plugin, app('web'), snapshot), undefined))
})

describe('queueing hints accept', () => {
  const event = (actions: readonly ['added' | 'deleted'], other: PodInfo) =>
    ({ resource: 'AssignedPod', actions, object: other.pod }) as const

  test('an added pod that matches the affinity', () => {
    assert.equal(isHelpful(plugin, app('web', near(term('db'))), event(['added'], app('db'))), true)
    assert.equal(isHelpful(plugin, app('web', near(term('db'))), event(['added'], app('other'))), false)
    assert.equal(isHelpful(plugin, app('web', near(term('db'))), event(['deleted'], app('db'))), false)
  })

  test('a deleted pod that excluded the waiting pod', () => {
    assert.equal(isHelpful(plugin, app('web', away(term('db'))), event(['deleted'], app('db'))), true)
    assert.equal(isHelpful(plugin, app('web'), event(['deleted'], app('hermit', away(term('web'))))), true)
    assert.equal(isHelpful(plugin, app('web'), event(['deleted'], app('hermit', away(term('db'))))), false)
  })

  test('changed labels that change the match', () => {
    const changed = {
      resource: 'AssignedPod',
      actions: ['pod labels'],
      object: app('x').pod,
      old: app('db').pod,
    } as const
    assert.equal(isHelpful(plugin, app('web', away(term('db'))), changed), true)
    assert.equal(isHelpful(plugin, app('web', away(term('x'))), changed), false)
    assert.equal(isHelpful(plugin, app('web', near(term('x'))), changed), true)
  })
})
