import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SchedulerProfile } from '../framework/profile.js'
import { cluster, filterResults, informersOf, node, pod } from '../plugins/plugins.test.kit.js'
import { policySettings } from './policy.js'

function profile(policy: object): SchedulerProfile {
  return policySettings(policy, '/nowhere').profile({ informers: informersOf(), schedulerName: 's', extenders: [] })
}

const names = (plugins: SchedulerProfile['filter']) => plugins.map(({ name }) => name)
const weights = ({ score }: SchedulerProfile) => score.map(({ plugin, weight }) => `${plugin.name} ${weight}`)

describe('a policy', () => {
  test('without lists has the defaults', () => {
    const found = profile({ kind: 'Policy', apiVersion: 'v1' })
    assert.deepEqual(names(found.filter), [
      'NodeUnschedulable',
      'NodeResourcesFit',
      'NodeName',
      'NodePorts',
      'NodeAffinity',
      'TaintToleration',
      'PodTopologySpread',
      'InterPodAffinity',
    ])
    assert.deepEqual(weights(found), [
      'SelectorSpread 1',
      'InterPodAffinity 1',
      'NodeResourcesLeastAllocated 1',
      'NodeResourcesBalancedAllocation 1',
      'NodePreferAvoidPods 10000',
      'NodeAffinity 1',
      'TaintToleration 1',
      'ImageLocality 1',
      'PodTopologySpread 2',
    ])
    assert.deepEqual(names(found.preEnqueue), ['SchedulingGates'])
    assert.deepEqual(names(found.postFilter), ['DynamicResources', 'DefaultPreemption'])
  })

  test('with empty lists has the mandatory predicates', () => {
    const found = profile({ predicates: [], priorities: [] })
    assert.deepEqual(names(found.filter), ['NodeUnschedulable', 'TaintToleration'])
    assert.deepEqual(weights(found), [])
  })

  test('maps predicates and priorities to plugins', () => {
    const found = profile({
      kind: 'Policy',
      apiVersion: 'v1',
      predicates: [
        { name: 'MatchInterPodAffinity' },
        { name: 'PodFitsPorts' },
        { name: 'PodFitsResources' },
        { name: 'CheckNodeMemoryPressure' },
        { name: 'Region', argument: { serviceAffinity: { labels: ['region'] } } },
        { name: 'RequireZone', argument: { labelsPresence: { labels: ['zone'], presence: true } } },
        { name: 'NotRetiring', argument: { labelsPresence: { labels: ['retiring'], presence: false } } },
      ],
      priorities: [
        { name: 'MostRequestedPriority', weight: 2 },
        { name: 'EqualPriority', weight: 1 },
        { name: 'RackSpread', weight: 3, argument: { serviceAntiAffinity: { label: 'rack' } } },
        { name: 'LikeSsd', weight: 4, argument: { labelPreference: { label: 'ssd', presence: true } } },
        {
          name: 'Curve',
          weight: 5,
          argument: {
            requestedToCapacityRatioArguments: {
              shape: [
                { utilization: 0, score: 10 },
                { utilization: 100, score: 0 },
              ],
            },
          },
        },
      ],
    })
    assert.deepEqual(names(found.filter), [
      'NodeUnschedulable',
      'NodePorts',
      'NodeResourcesFit',
      'TaintToleration',
      'NodeLabel',
      'ServiceAffinity',
      'InterPodAffinity',
    ])
    assert.deepEqual(weights(found), ['NodeResourcesMostAllocated 2', 'RackSpread 3', 'LikeSsd 4', 'Curve 5'])
    const label = found.filter.find(({ name }) => name === 'NodeLabel')!
    const snapshot = cluster(
      node('a', { labels: { zone: 'z' } }),
      node('b', { labels: { zone: 'z', retiring: 'y' } }),
      node('c'),
    )
    const no = "node(s) didn't have the requested labels (unresolvable)"
    assert.deepEqual(filterResults(label, pod('p'), snapshot), { a: 'ok', b: no, c: no })
  })

  test('can check all predicates', () => {
    const found = profile({ alwaysCheckAllPredicates: true, predicates: [{ name: 'PodFitsResources' }] })
    assert.deepEqual(names(found.filter), ['AllPredicates'])
    const snapshot = cluster(node('n', { allocatable: { cpu: '1' }, spec: { unschedulable: true } }))
    assert.deepEqual(filterResults(found.filter[0]!, pod('p', { requests: { cpu: '2' } }), snapshot), {
      n: 'node(s) were unschedulable, Insufficient cpu (unresolvable)',
    })
  })

  test('sets the weight of required affinity', () => {
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }
    const affinity = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } }
    const snapshot = cluster(node('a', { pods: [pod('f', { spec: { affinity } })] }))
    const [{ plugin }] = profile({
      hardPodAffinitySymmetricWeight: 7,
      priorities: [{ name: 'InterPodAffinityPriority', weight: 1 }],
    }).score as [SchedulerProfile['score'][number]]
    const scorer = plugin.preScore!(pod('web', { labels: { app: 'web' } }), snapshot, snapshot.nodes)!
    assert.equal(scorer.score(snapshot.nodes[0]!), 7)
  })

  test('gives a warning for predicates that do not exist here', () =>
    assert.deepEqual(policySettings({ predicates: [{ name: 'NoDiskConflict' }] }, '/').warnings, [
      'scheduler plugin VolumeRestrictions does not exist here: its predicates have no effect',
    ]))

  test('has extenders with a timeout in nanoseconds or as text', () => {
    const { extenders } = policySettings(
      {
        extenders: [
          { urlPrefix: 'http://a', filterVerb: 'f', httpTimeout: 100_000_000, enableHttps: true },
          { urlPrefix: 'http://b', prioritizeVerb: 'p', weight: 1, httpTimeout: '3s' },
        ],
      },
      '/',
    )
    assert.deepEqual(
      extenders.map(({ urlPrefix, timeout }) => [urlPrefix, timeout]),
      [
        ['https://a', 100],
        ['http://b', 3_000],
      ],
    )
  })
})

describe('a policy is rejected', () => {
  const cases: Readonly<Record<string, readonly [object, string]>> = {
    'of another kind': [{ kind: 'Pod' }, 'expected a Policy of v1'],
    'with an unknown field': [{ predicate: [] }, 'strict decoding error: unknown field "predicate"'],
    'with an unknown predicate': [{ predicates: [{ name: 'Guess' }] }, 'predicates[0].name: Not found: "Guess"'],
    'with an unknown priority': [
      { priorities: [{ name: 'Guess', weight: 1 }] },
      'priorities[0].name: Not found: "Guess"',
    ],
    'with a priority without weight': [
      { priorities: [{ name: 'EqualPriority' }] },
      'priorities[0].weight: Invalid value: 0: should have a positive weight applied to it or it has overflown',
    ],
    'with two arguments for one predicate': [
      {
        predicates: [
          { name: 'x', argument: { serviceAffinity: { labels: ['a'] }, labelsPresence: { labels: ['b'] } } },
        ],
      },
      'predicates[0].argument: Invalid value: {"serviceAffinity":{"labels":["a"]},"labelsPresence":{"labels":["b"]}}: exactly 1 predicate argument is required, numArgs: 2',
    ],
    'with an empty shape': [
      { priorities: [{ name: 'x', weight: 1, argument: { requestedToCapacityRatioArguments: {} } }] },
      'priorities[0].argument.requestedToCapacityRatioArguments.shape: Required value: at least one point must be specified',
    ],
    'with a weight out of range': [
      { hardPodAffinitySymmetricWeight: 101 },
      'hardPodAffinitySymmetricWeight: Invalid value: 101: not in valid range [0-100]',
    ],
    'with an extender without weight': [
      { extenders: [{ urlPrefix: 'http://e', prioritizeVerb: 'p' }] },
      'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
    ],
  }
  for (const [title, [policy, message]] of Object.entries(cases))
    test(title, () => assert.throws(() => policySettings(policy, '/'), { message }))
})
