import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { PodAffinityTerm } from '../api/core/v1/affinity.js'
import { Namespace } from '../api/core/v1/namespace.js'
import type { PodSpec, TopologySpreadConstraint } from '../api/core/v1/pod/spec.js'
import { PodDisruptionBudget } from '../api/policy/v1/pod-disruption-budget.js'
import { seededRandom } from '../base/random.js'
import type { NodeInfo } from './cache/node-info.js'
import type { PodInfo } from './cache/pod-info.js'
import { defaultProfile } from './configuration/profile-factory.js'
import { decide } from './cycle/cycle.js'
import { noNominatedPods } from './framework/plugin.js'
import { fitsNaively, type NaiveCluster } from './naive-filters.test.kit.js'
import { executeEviction } from './plugins/default-preemption/eviction.test.kit.js'
import { cluster, type GivenPod, informersOf, node, pod } from './plugins/plugins.test.kit.js'

const namespaces = { default: {}, blue: { team: 'blue' } }
/** Undefined with `weight` to 1. */
const maybe = <T>(arbitrary: fc.Arbitrary<T>, weight = 1) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })
const given = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

const app = fc.constantFrom('web', 'db')
const topologyKey = fc.constantFrom('zone', 'kubernetes.io/hostname', 'rack')
const selector = app.map((value) => ({ matchLabels: { app: value } }))

const term: fc.Arbitrary<PodAffinityTerm> = fc
  .record({
    topologyKey,
    labelSelector: selector,
    namespaces: maybe(fc.constant(['blue'])),
    namespaceSelector: maybe(fc.constantFrom({}, { matchLabels: { team: 'blue' } })),
  })
  .map((each) => given(each) as unknown as PodAffinityTerm)

const terms = maybe(fc.array(term, { minLength: 1, maxLength: 2 }), 3)

const constraint: fc.Arbitrary<TopologySpreadConstraint> = fc
  .record({
    topologyKey,
    labelSelector: selector,
    maxSkew: fc.integer({ min: 1, max: 2 }),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway'),
    minDomains: maybe(fc.integer({ min: 1, max: 3 })),
    nodeAffinityPolicy: maybe(fc.constantFrom('Honor', 'Ignore')),
    nodeTaintsPolicy: maybe(fc.constantFrom('Honor', 'Ignore')),
  })
  .map((each) => given(each) as unknown as TopologySpreadConstraint)

const expression = fc.oneof(
  fc.record({ key: fc.constant('zone'), operator: fc.constantFrom('In', 'NotIn'), values: fc.constant(['a']) }),
  fc.record({ key: fc.constant('rack'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  fc.record({ key: fc.constant('size'), operator: fc.constantFrom('Gt', 'Lt'), values: fc.constantFrom(['2'], ['5']) }),
)
const nodeTerm = fc.oneof(
  fc.record({ matchExpressions: fc.array(expression, { minLength: 1, maxLength: 2 }) }),
  fc.record({
    matchFields: fc
      .constantFrom('n0', 'n1', 'nx')
      .map((name) => [{ key: 'metadata.name', operator: 'In', values: [name] }]),
  }),
  fc.constant({}),
)

/** @param withAffinity whether it may have required affinity */
const podSpec = (withAffinity: boolean) =>
  fc
    .record({
      near: withAffinity ? terms : fc.constant(undefined),
      away: terms,
      nodeTerms: maybe(fc.array(nodeTerm, { minLength: 1, maxLength: 2 }), 4),
      nodeSelector: maybe(fc.constantFrom({ zone: 'a' }, { zone: 'b' }), 5),
      spread: maybe(fc.uniqueArray(constraint, { maxLength: 2, selector: (each) => each.topologyKey })),
      tolerations: maybe(fc.constantFrom([{ operator: 'Exists' }], [{ key: 'k', operator: 'Equal', value: 'v' }])),
      port: maybe(
        fc.constantFrom({ hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, protocol: 'UDP' }),
        1,
      ),
      cpu: fc.constantFrom('0', '1', '2'),
    })
    .map(({ near, away, nodeTerms, nodeSelector, spread, tolerations, port, cpu }) => {
      const required = (value: unknown) => value && { requiredDuringSchedulingIgnoredDuringExecution: value }
      const affinity = given({
        podAffinity: required(near),
        podAntiAffinity: required(away),
        nodeAffinity: required(nodeTerms && { nodeSelectorTerms: nodeTerms }),
      })
      const ports = port ? [{ containerPort: 1, ...port }] : []
      const containers = [{ name: 'c', image: 'web', ports, resources: { requests: { cpu } } }]
      const rest = given({ nodeSelector, tolerations, topologySpreadConstraints: spread })
      return { affinity, containers, ...rest } as unknown as Partial<PodSpec>
    })

const somePod = (withAffinity: boolean): fc.Arbitrary<GivenPod> =>
  fc
    .record({
      spec: podSpec(withAffinity),
      labels: fc.record({ app }),
      namespace: fc.constantFrom('default', 'default', 'blue'),
      priority: fc.integer({ min: 0, max: 3 }),
      isLeaving: fc.integer({ max: 5, min: 0 }).map((value) => value === 5),
    })
    .map(({ isLeaving, ...rest }) => ({
      ...rest,
      ...(isLeaving && { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    }))

const taint = fc.constantFrom(
  { key: 'k', value: 'v', effect: 'NoSchedule' as const },
  { key: 'other', effect: 'NoExecute' as const },
  { key: 'soft', effect: 'PreferNoSchedule' as const },
)

const someNode = fc.record({
  zone: fc.constantFrom('a', 'a', 'b', 'b', undefined),
  rack: maybe(fc.constantFrom('r', 's')),
  size: maybe(fc.constantFrom('1', '3', '9')),
  taints: maybe(fc.array(taint, { maxLength: 2 }), 3),
  isCordoned: fc.integer({ min: 0, max: 5 }).map((value) => value === 5),
  cpu: fc.constantFrom('1', '2', '4'),
  pods: fc.array(somePod(true), { maxLength: 4 }),
})

const clusters = fc.array(someNode, { minLength: 1, maxLength: 4 }).map((nodes) =>
  nodes.map(({ zone, rack, size, taints, isCordoned, cpu, pods }, i) =>
    node(`n${i}`, {
      labels: given({ zone, rack, size }) as Record<string, string>,
      ...(taints && { taints }),
      ...(isCordoned && { spec: { unschedulable: true } }),
      allocatable: { cpu, pods: '5' },
      pods: pods.map((each, k) => pod(`p${i}-${k}`, each)),
    }),
  ),
)

function naiveCluster(nodes: readonly NodeInfo[]): NaiveCluster {
  return {
    nodes: nodes.map((each) => each.node),
    pods: nodes.flatMap((each) => each.pods.map((one) => one.pod)),
    namespaces,
  }
}

function runCycle(incoming: PodInfo, nodes: readonly NodeInfo[], seed: number, budgets: readonly object[] = []) {
  const informers = informersOf(
    ...Object.entries(namespaces).map(([name, labels]) => [Namespace, { metadata: { name, labels } }] as const),
    ...budgets.map((budget) => [PodDisruptionBudget, budget as never] as const),
  )
  const profile = defaultProfile({ informers, schedulerName: 's', extenders: [] })
  const context = { snapshot: cluster(...nodes), nominated: noNominatedPods, random: seededRandom(seed) }
  const { decision, filters } = decide(incoming, { profile, start: 0, ...context })
  return { decision, postFilter: () => profile.postFilter.at(-1)!.postFilter!({ decision, filters, ...context }) }
}

describe('in any cluster', () => {
  test('the chosen node passes the naive filters, and there is none only if no node passes', () =>
    fc.assert(
      fc.property(clusters, somePod(true), fc.integer(), (nodes, parts, seed) => {
        const incoming = pod('incoming', parts)
        const { decision } = runCycle(incoming, nodes, seed)
        const allowed = nodes
          .filter((each) => fitsNaively(incoming.pod, each.node, naiveCluster(nodes)))
          .map(({ name }) => name)
        if (decision.node)
          assert.ok(allowed.includes(decision.node.name), `${decision.node.name} is not one of ${allowed}`)
        else assert.deepEqual(allowed, [])
      }),
      { numRuns: 3000 },
    ))

  /** The victims of preemption for the pod; undefined if there is none. */
  async function victimsFor(incoming: PodInfo, nodes: readonly NodeInfo[], seed: number, budgets?: readonly object[]) {
    const { decision, postFilter } = runCycle(incoming, nodes, seed, budgets)
    if (decision.node) return undefined
    const result = await postFilter()
    if (!result.execute) return undefined
    const place = nodes.find(({ name }) => name === result.nominatedNode)!
    const { deleted } = await executeEviction(result)
    const leaving = place.pods.filter(
      (each) => each.pod.metadata.deletionTimestamp && each.priority < incoming.priority,
    )
    return { place, victims: place.pods.filter((each) => deleted.includes(each.pod.metadata.name!)), leaving }
  }

  const fitsWithout = (incoming: PodInfo, place: NodeInfo, nodes: readonly NodeInfo[], gone: readonly PodInfo[]) => {
    const uids = new Set(gone.map(({ uid }) => uid))
    const rest = nodes.map((each) => gone.reduce((one, victim) => one.withoutPod(victim), each))
    assert.ok(rest.every((each) => each.pods.every(({ uid }) => !uids.has(uid))))
    return fitsNaively(incoming.pod, place.node, naiveCluster(rest))
  }

  test('preemption evicts only pods of lower priority, and none without need', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(clusters, somePod(false), fc.integer(), async (nodes, parts, seed) => {
        const incoming = pod('incoming', { ...parts, priority: 2 })
        const found = await victimsFor(incoming, nodes, seed)
        if (!found) return
        count++
        const { place, victims, leaving } = found
        for (const victim of victims) assert.ok(victim.priority < incoming.priority)
        // Pods that are already being deleted may be victims, and are not deleted again.
        const gone = [...victims, ...leaving]
        assert.ok(fitsWithout(incoming, place, nodes, gone), 'the pod does not fit without the victims')
        for (const victim of victims) {
          const others = gone.filter((each) => each !== victim)
          const isNeeded = !fitsWithout(incoming, place, nodes, others) || leaving.length > 0
          assert.ok(isNeeded, `${victim.key} is an unnecessary victim`)
        }
      }),
      { numRuns: 1500 },
    )
    assert.ok(count > 30, `only ${count} preemptions`)
  })

  test('preemption violates a disruption budget only if it must', async () => {
    const budgets = ['default', 'blue'].map((namespace) => ({
      metadata: { name: 'web', namespace },
      spec: { selector: { matchLabels: { app: 'web' } } },
      status: { disruptionsAllowed: 0 },
    }))
    await fc.assert(
      fc.asyncProperty(clusters, somePod(false), fc.integer(), async (nodes, parts, seed) => {
        const incoming = pod('incoming', { ...parts, priority: 3 })
        const found = await victimsFor(incoming, nodes, seed, budgets)
        if (!found?.victims.some(({ labels }) => labels.app === 'web')) return
        // On no node would it be enough to evict all pods that no budget protects.
        for (const each of nodes) {
          const unprotected = each.pods.filter((other) => other.priority < 3 && other.labels.app !== 'web')
          if (unprotected.length > 0) assert.ok(!fitsWithout(incoming, each, nodes, unprotected), each.name)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
