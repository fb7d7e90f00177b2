import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Affinity, PodAffinityTerm } from '../../../api/core/v1/affinity.js'
import { Namespace } from '../../../api/core/v1/namespace.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import type { AdjustableFilter, PodFilter } from '../../framework/plugin.js'
import { cluster, type GivenPod, helps, informersOf, node, pod, scores, verdicts } from '../plugins.test.kit.js'
import { interPodAffinity } from './plugin.js'
import { namespaceLookup } from './terms.js'

const notNear = "node(s) didn't match pod affinity rules (for good)"
const tooNear = "node(s) didn't match pod anti-affinity rules"
const unwanted = "node(s) didn't satisfy existing pods anti-affinity rules"

const namespaces = namespaceLookup(
  informersOf(
    [Namespace, { metadata: { name: 'default' } }],
    [Namespace, { metadata: { name: 'blue', labels: { team: 'blue' } } }],
  ),
)
const plugin = interPodAffinity({ namespaces })

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

describe('a pod that must be near to others', () => {
  const world = cluster(at('a1', 'a', app('db')), at('a2', 'a'), at('b', 'b', app('cache')), at('none', undefined))

  test('goes where they are, or near it', () =>
    assert.deepEqual(verdicts(plugin, app('web', near(term('db'))), world), {
      a1: 'ok',
      a2: 'ok',
      b: notNear,
      none: notNear,
    }))

  test('must have all whom it names in one pod', () => {
    const both = near(term('db'), { ...term('db'), labelSelector: { matchLabels: { tier: 'back' } } })
    assert.equal(verdicts(plugin, app('web', both), world).a1, notNear)
    const tiered = cluster(at('a1', 'a', app('db', undefined, { labels: { app: 'db', tier: 'back' } })))
    assert.equal(verdicts(plugin, app('web', both), tiered).a1, 'ok')
  })

  test('goes nowhere if they are nowhere', () =>
    assert.deepEqual(
      new Set(Object.values(verdicts(plugin, app('web', near(term('nobody'))), world))),
      new Set([notNear]),
    ))

  test('may be the first of its own kind, but only where the place can be told', () =>
    assert.deepEqual(verdicts(plugin, app('self', near(term('self'))), world), {
      a1: 'ok',
      a2: 'ok',
      b: 'ok',
      none: notNear,
    }))

  test('may be the first only as long as there is none', () => {
    const second = cluster(at('a', 'a', app('self', undefined, { metadata: { uid: 'first' } })), at('b', 'b'))
    assert.deepEqual(verdicts(plugin, app('self', near(term('self'))), second), { a: 'ok', b: notNear })
  })
})

describe('a pod that must be away from others', () => {
  test('goes where they are not near', () => {
    const world = cluster(at('a1', 'a', app('db')), at('a2', 'a'), at('b', 'b'), at('none', undefined))
    const shy = app('web', away(term('db'), term('cache')))
    assert.deepEqual(verdicts(plugin, shy, world), { a1: tooNear, a2: tooNear, b: 'ok', none: 'ok' })
  })

  test('keeps others away that come later', () => {
    const world = cluster(at('a1', 'a', app('hermit', away(term('web')))), at('a2', 'a'), at('b', 'b'))
    assert.deepEqual(verdicts(plugin, app('web'), world), { a1: unwanted, a2: unwanted, b: 'ok' })
    assert.deepEqual(verdicts(plugin, app('other'), world), { a1: 'ok', a2: 'ok', b: 'ok' })
  })
})

describe('namespaces', () => {
  const foreign = app('db', undefined, { namespace: 'blue' })
  const world = cluster(at('a', 'a', foreign))
  const says = (more: Partial<PodAffinityTerm>) => verdicts(plugin, app('web', near(term('db', more))), world).a

  test('are the pod’s own unless told', () => {
    assert.equal(says({}), notNear)
    assert.equal(says({ namespaces: ['blue'] }), 'ok')
  })

  test('can be selected by their labels', () => {
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'blue' } } }), 'ok')
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'red' } } }), notNear)
    assert.equal(says({ namespaceSelector: {} }), 'ok')
    assert.equal(says({ namespaceSelector: { matchLabels: { team: 'red' } }, namespaces: ['blue'] }), 'ok')
  })

  test('are selected the same way by pods that are there', () => {
    const hermit = app('hermit', away(term('web', { namespaceSelector: { matchLabels: { team: 'blue' } } })))
    const there = cluster(at('a', 'a', hermit))
    assert.equal(verdicts(plugin, app('web', undefined, { namespace: 'blue' }), there).a, unwanted)
    assert.equal(verdicts(plugin, app('web'), there).a, 'ok')
  })
})

describe('what if pods came and went', () => {
  const hermit = app('hermit', away(term('web')))
  const world = cluster(
    at('a', 'a', hermit, app('db')),
    at('b', 'b', app('db', undefined, { metadata: { uid: 'db2' } })),
  )
  const [a] = world.nodes as readonly [NodeInfo, NodeInfo]
  const says = (one: PodFilter) => world.nodes.map((each) => one.filter(each)?.reasons[0] ?? 'ok')

  test('those who kept the pod away do so no longer', () => {
    const adjusted = (plugin.preFilter!(app('web'), world) as PodFilter).adjustable!() as AdjustableFilter
    assert.deepEqual(says(adjusted), [unwanted, 'ok'])
    adjusted.removePod(a.pods[0]!, a)
    assert.deepEqual(says(adjusted), ['ok', 'ok'])
    const further = adjusted.adjustable!()
    further.addPod(a.pods[0]!, a)
    assert.deepEqual(says(further), [unwanted, 'ok'])
    assert.deepEqual(says(adjusted), ['ok', 'ok'])
  })

  test('a pod that is about to come keeps others away although nobody did before', () => {
    const empty = cluster(at('a', 'a'), at('b', 'b'))
    const adjusted = (plugin.preFilter!(app('web'), empty) as PodFilter).adjustable!() as AdjustableFilter
    adjusted.addPod(hermit, empty.nodes[0]!)
    assert.deepEqual(says(adjusted), [unwanted, 'ok'])
  })

  test('those whom it shuns are gone, and those whom it wanted too', () => {
    const shy = (plugin.preFilter!(app('x', away(term('db'))), world) as PodFilter).adjustable!() as AdjustableFilter
    shy.removePod(a.pods[1]!, a)
    assert.deepEqual(says(shy), ['ok', tooNear])
    const social = (plugin.preFilter!(app('x', near(term('db'))), world) as PodFilter).adjustable!() as AdjustableFilter
    social.removePod(a.pods[1]!, a)
    assert.deepEqual(says(social), [notNear.replace(' (for good)', ''), 'ok'])
  })
})

describe('a pod that would rather be', () => {
  const weighted = (weight: number, podAffinityTerm: PodAffinityTerm) => ({ weight, podAffinityTerm })
  const world = cluster(
    at('a', 'a', app('db'), app('cache')),
    at('b', 'b', app('db', undefined, { metadata: { uid: 'db2' } })),
    at('c', 'c'),
  )

  test('near to some and away from others scores by the weights of both', () => {
    const affinity: Affinity = {
      podAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [weighted(10, term('db')), weighted(5, term('cache'))],
      },
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(25, term('cache'))] },
    }
    // a: 10 + 5 - 25, b: 10, c: 0.
    assert.deepEqual(scores(plugin, app('web', affinity), world), { a: 0, b: 100, c: 50 })
  })

  test('near to those who would rather be near to it', () => {
    const fan: Affinity = {
      podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(7, term('web'))] },
    }
    const foe: Affinity = {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [weighted(7, term('web'))] },
    }
    const there = cluster(at('a', 'a', app('fan', fan)), at('b', 'b', app('foe', foe)), at('c', 'c'))
    assert.deepEqual(scores(plugin, app('web'), there), { a: 100, b: 0, c: 50 })
    const deaf = interPodAffinity({ namespaces, ignorePreferredTermsOfExistingPods: true })
    assert.equal(scores(deaf, app('web'), there), undefined)
  })

  test('near to those who must be near to it, as much as is configured', () => {
    const there = cluster(at('a', 'a', app('follower', near(term('web')))), at('b', 'b'))
    assert.deepEqual(scores(plugin, app('web'), there), { a: 100, b: 0 })
    assert.equal(scores(interPodAffinity({ namespaces, hardPodAffinityWeight: 0 }), app('web'), there), undefined)
  })

  test('is not compared where nobody says anything', () => assert.equal(scores(plugin, app('web'), world), undefined))
})

describe('a refused pod is helped', () => {
  const event = (actions: readonly ['added' | 'deleted'], other: PodInfo) =>
    ({ resource: 'AssignedPod', actions, object: other.pod }) as const

  test('by one that it wants to be near to', () => {
    assert.equal(helps(plugin, app('web', near(term('db'))), event(['added'], app('db'))), true)
    assert.equal(helps(plugin, app('web', near(term('db'))), event(['added'], app('other'))), false)
    assert.equal(helps(plugin, app('web', near(term('db'))), event(['deleted'], app('db'))), false)
  })

  test('by one less that kept it away', () => {
    assert.equal(helps(plugin, app('web', away(term('db'))), event(['deleted'], app('db'))), true)
    assert.equal(helps(plugin, app('web'), event(['deleted'], app('hermit', away(term('web'))))), true)
    assert.equal(helps(plugin, app('web'), event(['deleted'], app('hermit', away(term('db'))))), false)
  })

  test('by labels that change', () => {
    const changed = {
      resource: 'AssignedPod',
      actions: ['pod labels'],
      object: app('x').pod,
      old: app('db').pod,
    } as const
    assert.equal(helps(plugin, app('web', away(term('db'))), changed), true)
    assert.equal(helps(plugin, app('web', away(term('x'))), changed), false)
    assert.equal(helps(plugin, app('web', near(term('x'))), changed), true)
  })
})
