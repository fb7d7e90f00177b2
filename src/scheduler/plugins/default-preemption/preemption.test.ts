import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { seededRandom } from '../../../base/random.js'
import type { NodeInfo } from '../../cache/node-info.js'
import type { PodInfo } from '../../cache/pod-info.js'
import { decide } from '../../cycle/cycle.js'
import type { Extender, PreemptionCandidate } from '../../extenders/extender.js'
import { type NominatedPods, noNominatedPods, type PostFilterResult } from '../../framework/plugin.js'
import { sampleProfile } from '../../scheduler.test.kit.js'
import { interPodAffinity } from '../inter-pod-affinity/plugin.js'
import { nodeAffinity } from '../node-affinity.js'
import { nodePorts } from '../node-ports.js'
import { nodeResourcesFit } from '../node-resources/fit.js'
import { cluster, type GivenPod, informersOf, node, pod, testPlugin } from '../plugins.test.kit.js'
import { podTopologySpread } from '../pod-topology-spread/plugin.js'
import { executeEviction } from './eviction.test.kit.js'
import { type DefaultPreemptionArgs, defaultPreemption } from './plugin.js'

const filters = [
  testPlugin(nodeAffinity),
  testPlugin(nodePorts),
  testPlugin(nodeResourcesFit),
  testPlugin(podTopologySpread),
  testPlugin(interPodAffinity),
]

interface Scenario {
  readonly nodes: readonly NodeInfo[]
  readonly budgets?: readonly object[]
  readonly nominated?: NominatedPods
  readonly args?: DefaultPreemptionArgs
  readonly extenders?: readonly Extender[]
}

async function runPostFilter(incoming: PodInfo, scenario: Scenario) {
  const { nodes, budgets = [], nominated = noNominatedPods, args = {}, extenders = [] } = scenario
  const snapshot = cluster(...nodes)
  const random = seededRandom(7)
  const profile = sampleProfile({ filter: filters, score: [] })
  const { decision, filters: used } = decide(incoming, { profile, snapshot, nominated, start: 0, random })
  assert.equal(decision.node, undefined, 'the pod fits without preemption')
  const informers = informersOf(...budgets.map((budget) => [PodDisruptionBudget, budget as never] as const))
  const plugin = testPlugin(defaultPreemption, args, { informers, extenders })
  return plugin.postFilter!({ decision, snapshot, nominated, filters: used, random })
}

/** The nominated node and the deleted pods, or the message. */
async function preempt(incoming: PodInfo, scenario: Scenario): Promise<string> {
  const result: PostFilterResult = await runPostFilter(incoming, scenario)
  if (!result.execute) return result.message
  assert.equal(result.message, '')
  const { deleted } = await executeEviction(result)
  return `${result.nominatedNode}: ${deleted.join(' ')}`
}

const cpu = (name: string, amount: string, priority: number, more: GivenPod = {}) =>
  pod(name, { requests: { cpu: amount }, priority, ...more })
const two = (name: string, ...pods: readonly PodInfo[]) => node(name, { allocatable: { cpu: '2' }, pods })
const vip = cpu('vip', '1', 100)

describe('the victims', () => {
  test('are as few as possible, of the lowest priority', async () => {
    const scenario = { nodes: [two('n', cpu('a', '500m', 10), cpu('b', '500m', 20), cpu('c', '1', 30))] }
    assert.equal(await preempt(cpu('vip', '500m', 100), scenario), 'n: a')
    assert.equal(await preempt(cpu('vip', '1', 100), scenario), 'n: b a')
    assert.equal(await preempt(cpu('vip', '1500m', 100), scenario), 'n: c a')
  })

  test('are those that started last, among equals', async () => {
    const since = (startTime: string) => ({ status: { startTime } })
    const nodes = [
      two('n', cpu('old', '1', 1, since('2026-01-01T00:00:00Z')), cpu('new', '1', 1, since('2026-01-02T00:00:00Z'))),
    ]
    assert.equal(await preempt(vip, { nodes }), 'n: new')
  })

  test('have a lower priority than the pod', async () => {
    const why = 'preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.'
    assert.equal(await preempt(vip, { nodes: [two('n', cpu('equal', '1500m', 100))] }), why)
    assert.equal(await preempt(vip, { nodes: [two('n', cpu('more', '1500m', 101))] }), why)
  })

  test('are the pods that use the port', async () => {
    const ports = [{ containerPort: 80, hostPort: 80 }]
    const containers = [{ name: 'c', image: 'web', ports }]
    const holder = pod('holder', { priority: 1, spec: { containers } })
    const nodes = [node('n', { pods: [holder, cpu('other', '1', 1)] })]
    assert.equal(await preempt(pod('vip', { priority: 2, spec: { containers } }), { nodes }), 'n: holder')
  })

  test('are the pods whose anti-affinity excludes the pod', async () => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    const hermit = pod('hermit', { priority: 1, spec: { affinity } })
    const nodes = [node('n', { pods: [cpu('other', '1', 1), hermit] })]
    assert.equal(await preempt(pod('vip', { priority: 2, labels: { app: 'web' } }), { nodes }), 'n: hermit')
  })

  test('are pods of the domain with too many', async () => {
    const labels = { app: 'web' }
    const topologySpreadConstraints = [
      { topologyKey: 'zone', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: labels } },
    ] as const
    const nodes = [
      node('a', { labels: { zone: 'a' }, pods: [cpu('w1', '1', 1, { labels }), cpu('other', '1', 1)] }),
      node('b', { labels: { zone: 'b' }, spec: { unschedulable: true } }),
    ]
    const picky = { topologySpreadConstraints, nodeSelector: { zone: 'a' } }
    const everywhere = topologySpreadConstraints.map((each) => ({ ...each, nodeAffinityPolicy: 'Ignore' as const }))
    const incoming = pod('vip', { priority: 2, labels, spec: { ...picky, topologySpreadConstraints: everywhere } })
    assert.equal(await preempt(incoming, { nodes }), 'a: w1')
  })
})

describe('the selected node is the one', () => {
  const budget = (name: string, disruptionsAllowed: number, app: string) => ({
    metadata: { name, namespace: 'default' },
    spec: { selector: { matchLabels: { app } } },
    status: { disruptionsAllowed },
  })
  const labelled = (app: string) => ({ labels: { app } })

  test('without violated disruption budgets', async () => {
    const nodes = [two('a', cpu('x', '2', 1, labelled('db'))), two('b', cpu('y', '2', 50))]
    assert.equal(await preempt(vip, { nodes, budgets: [budget('db', 0, 'db')] }), 'b: y')
    assert.equal(await preempt(vip, { nodes, budgets: [budget('db', 1, 'db')] }), 'a: x')
  })

  test('with violated budgets if there is no other', async () => {
    const nodes = [two('a', cpu('x', '2', 1, labelled('db')))]
    assert.equal(await preempt(vip, { nodes, budgets: [budget('db', 0, 'db')] }), 'a: x')
  })

  test('where protected pods are reprieved first', async () => {
    const nodes = [two('a', cpu('db', '1', 1, labelled('db')), cpu('web', '1', 50, labelled('web')))]
    assert.equal(await preempt(vip, { nodes, budgets: [budget('db', 0, 'db')] }), 'a: web')
    assert.equal(await preempt(vip, { nodes }), 'a: db')
  })

  test('whose highest victim priority is the lowest', async () => {
    const nodes = [two('a', cpu('a1', '2', 20)), two('b', cpu('b1', '1', 10), cpu('b2', '1', 10))]
    assert.equal(await preempt(cpu('vip', '2', 100), { nodes }), 'b: b1 b2')
  })

  test('whose sum of victim priorities is the lowest', async () => {
    const nodes = [two('a', cpu('a1', '1', 10), cpu('a2', '1', 9)), two('b', cpu('b1', '1', 10), cpu('b2', '1', 3))]
    assert.equal(await preempt(cpu('vip', '2', 100), { nodes }), 'b: b1 b2')
  })

  test('with fewer victims, also of negative priority', async () => {
    const nodes = [two('a', cpu('a1', '1', -5), cpu('a2', '1', -5)), two('b', cpu('b1', '2', -5))]
    assert.equal(await preempt(cpu('vip', '2', 100), { nodes }), 'b: b1')
  })

  test('whose most important victims started last', async () => {
    const since = (day: number): GivenPod => ({ status: { startTime: `2026-01-0${day}T00:00:00Z` } })
    const nodes = [
      two('a', cpu('a1', '2', 1, since(1))),
      two('b', cpu('b1', '2', 1, since(3))),
      two('c', cpu('c1', '2', 1, since(2))),
    ]
    assert.equal(await preempt(vip, { nodes }), 'b: b1')
  })
})

describe('no pod is evicted', () => {
  test('for a pod with preemptionPolicy Never', async () => {
    const nonPreempting = cpu('vip', '1', 100, {
      spec: { preemptionPolicy: 'Never', containers: vip.pod.spec.containers },
    })
    const result = await runPostFilter(nonPreempting, { nodes: [two('n', cpu('a', '2', 1))] })
    assert.deepEqual(result, { message: 'preemption: not eligible due to preemptionPolicy=Never.' })
  })

  test('if preemption does not help', async () => {
    const nodes = [two('full', cpu('equal', '2', 100)), two('small'), two('other', cpu('a', '2', 1))]
    assert.equal(
      await preempt(cpu('huge', '9', 100), { nodes }),
      'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    )
  })

  test('if the pod does not fit without the victims either', async () => {
    const nodes = [two('n', cpu('equal', '1500m', 100), cpu('less', '100m', 1))]
    const result = await runPostFilter(vip, { nodes })
    const message = 'preemption: 0/1 nodes are available: 1 Insufficient cpu.'
    assert.deepEqual(result, { message, nominatedNode: '' })
  })

  test('while earlier victims are terminating', async () => {
    const conditions = [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }] as never
    const leaving = cpu('leaving', '2', 1, {
      metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { conditions },
    })
    const waiting = cpu('vip', '1', 100, { status: { nominatedNodeName: 'n' } })
    const nodes = [two('n', leaving), two('m', cpu('a', '2', 1))]
    const message = 'preemption: not eligible due to a terminating pod on the nominated node.'
    assert.deepEqual(await runPostFilter(waiting, { nodes }), { message })
  })

  test('on a node where a pod of higher priority is nominated', async () => {
    const coming = cpu('coming', '1500m', 200)
    const nominated = { onNode: (name: string) => (name === 'n' ? [coming] : []) }
    const nodes = [two('n', cpu('a', '1500m', 1))]
    assert.equal(await preempt(vip, { nodes, nominated }), 'preemption: 0/1 nodes are available: 1 Insufficient cpu.')
  })
})

describe('the candidate search', () => {
  const nodes = Array.from({ length: 40 }, (_, i) => two(`n${i}`, cpu(`a${i}`, '2', i === 39 ? 0 : 1)))

  test('ends when there are enough candidates', async () => {
    const few = { minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 2 }
    const seen = new Set<string>()
    const extender: Extender = {
      name: 'witness',
      isIgnorable: false,
      isInterested: () => true,
      preempt: async (_, candidates) => {
        for (const { node } of candidates) seen.add(node.name)
        return candidates
      },
    }
    await preempt(vip, { nodes, args: few, extenders: [extender] })
    assert.equal(seen.size, 4)
  })

  test('covers all nodes if there are few', async () => assert.equal(await preempt(vip, { nodes }), 'n39: a39'))
})

describe('extenders', () => {
  const nodes = [two('a', cpu('x', '2', 1)), two('b', cpu('y', '2', 50))]
  const extender = (preempt: Extender['preempt'], isIgnorable = false): Extender => ({
    name: 'e',
    isIgnorable,
    isInterested: () => true,
    preempt,
  })
  const only = (name: string) => async (_: PodInfo, all: readonly PreemptionCandidate[]) =>
    all.filter(({ node }) => node.name === name)
  const failing = () => Promise.reject(new Error('down'))

  test('can drop candidates', async () =>
    assert.equal(await preempt(vip, { nodes, extenders: [extender(only('b'))] }), 'b: y'))

  test('can drop all candidates', async () => {
    const message = 'preemption: no candidate node for preemption'
    assert.equal(await preempt(vip, { nodes, extenders: [extender(only('c'))] }), message)
  })

  test('are skipped if they fail and are ignorable', async () => {
    assert.equal(await preempt(vip, { nodes, extenders: [extender(failing, true)] }), 'a: x')
    await assert.rejects(preempt(vip, { nodes, extenders: [extender(failing)] }), /down/)
  })
})
