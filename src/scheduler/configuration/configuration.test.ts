import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseYaml } from '../../wire/yaml.js'
import type { SchedulerProfile } from '../framework/profile.js'
import { informersOf } from '../plugins/plugins.test.kit.js'
import {
  configurationSettings,
  loadSchedulerConfiguration,
  type SchedulerConfigurationSettings,
} from './configuration.js'

const header = 'apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n'

async function read(yaml: string): Promise<SchedulerConfigurationSettings> {
  const { value } = await parseYaml(header + yaml)
  return configurationSettings(value, '/nowhere')
}

async function profile(yaml: string, name = 'default-scheduler'): Promise<SchedulerProfile> {
  const make = (await read(yaml)).profiles[name]!
  return make({ informers: informersOf(), schedulerName: name, extenders: [] })
}

const names = (plugins: SchedulerProfile['filter']) => plugins.map(({ name }) => name)
const weights = ({ score }: SchedulerProfile) => score.map(({ plugin, weight }) => `${plugin.name} ${weight}`)

const usualFilters = [
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'PodTopologySpread',
  'InterPodAffinity',
  'DynamicResources',
]
/** Without plugins that upstream does not have. */
const upstream = (plugins: readonly string[]) => plugins.filter((name) => usualFilters.includes(name))
const usualWeights = [
  'TaintToleration 3',
  'NodeAffinity 2',
  'NodeResourcesFit 1',
  'PodTopologySpread 2',
  'InterPodAffinity 2',
  'NodeResourcesBalancedAllocation 1',
  'ImageLocality 1',
]

describe('an empty configuration', () => {
  test('has the default plugins and settings', async () => {
    const found = await profile('')
    assert.deepEqual(names(found.preEnqueue), ['SchedulingGates'])
    assert.deepEqual(upstream(names(found.filter)), usualFilters)
    assert.deepEqual(weights(found), usualWeights)
    assert.deepEqual(names(found.postFilter), ['DynamicResources', 'DefaultPreemption'])
    const { profiles: _, ...rest } = await read('')
    assert.deepEqual(rest, {
      extenders: [],
      queue: { initial: 1_000, max: 10_000 },
      leaderElection: {
        isElected: true,
        leaseDuration: 15_000,
        renewDeadline: 10_000,
        retryPeriod: 2_000,
        name: 'kube-scheduler',
        namespace: 'kube-system',
      },
      warnings: [],
    })
  })
})

describe('plugins of a profile', () => {
  const filters = async (plugins: string) =>
    upstream(names((await profile(`profiles: [{plugins: {${plugins}}}]`)).filter))
  const scores = async (plugins: string) => weights(await profile(`profiles: [{plugins: {${plugins}}}]`))

  test('can be disabled at one extension point', async () => {
    assert.deepEqual(
      await filters('filter: {disabled: [{name: NodePorts}]}'),
      usualFilters.filter((name) => name !== 'NodePorts'),
    )
    assert.deepEqual(await scores('filter: {disabled: [{name: TaintToleration}]}'), usualWeights)
  })

  test('can be disabled at all extension points', async () => {
    const off = 'multiPoint: {disabled: [{name: TaintToleration}]}'
    assert.deepEqual(
      await filters(off),
      usualFilters.filter((name) => name !== 'TaintToleration'),
    )
    assert.deepEqual(await scores(off), usualWeights.slice(1))
  })

  test('can all be disabled with *', async () => {
    assert.deepEqual(await scores("score: {disabled: [{name: '*'}], enabled: [{name: ImageLocality, weight: 7}]}"), [
      'ImageLocality 7',
    ])
    const only =
      "multiPoint: {disabled: [{name: '*'}], enabled: [{name: NodeAffinity}, {name: PrioritySort}, {name: DefaultBinder}]}"
    assert.deepEqual(await filters(only), ['NodeAffinity'])
    assert.deepEqual(await scores(only), ['NodeAffinity 1'])
  })

  test('can get another weight, in their position or before all others', async () => {
    assert.deepEqual(await scores('multiPoint: {enabled: [{name: NodeAffinity, weight: 9}]}'), [
      'TaintToleration 3',
      'NodeAffinity 9',
      ...usualWeights.slice(2),
    ])
    assert.deepEqual(await scores('score: {enabled: [{name: ImageLocality, weight: 5}]}'), [
      'ImageLocality 5',
      ...usualWeights.slice(0, -1),
    ])
  })

  test('that do not exist here give a warning', async () => {
    const { warnings } = await read(
      'profiles: [{plugins: {filter: {enabled: [{name: VolumeZone}]}}, pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: 5}}]}]',
    )
    assert.deepEqual(warnings, [
      'scheduler plugin VolumeZone does not exist here: its configuration has no effect',
      'scheduler plugin VolumeBinding does not exist here: its configuration has no effect',
    ])
  })
})

describe('profiles', () => {
  test('are found by name', async () => {
    const yaml =
      'percentageOfNodesToScore: 30\nprofiles: [{schedulerName: a}, {schedulerName: b, percentageOfNodesToScore: 0}]'
    assert.deepEqual(Object.keys((await read(yaml)).profiles), ['a', 'b'])
    assert.equal((await profile(yaml, 'a')).percentageOfNodesToScore, 30)
    assert.equal((await profile(yaml, 'b')).percentageOfNodesToScore, 0)
  })

  test('pass arguments to plugins', async () => {
    const found = await profile(
      'profiles: [{pluginConfig: [{name: NodeAffinity, args: {addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Exists}]}]}}}}]}]',
    )
    const plugin = found.filter.find(({ name }) => name === 'NodeAffinity')!
    assert.notEqual(plugin.preFilter!({ pod: { spec: {} } } as never, undefined as never), undefined)
  })
})

describe('the rest of a configuration', () => {
  test('is passed on', async () => {
    const found = await read(`
podInitialBackoffSeconds: 2
podMaxBackoffSeconds: 20
parallelism: 4
clientConnection: {kubeconfig: /etc/k, qps: 10, burst: 20}
leaderElection: {leaderElect: false, leaseDuration: 1m, resourceName: mine}
extenders:
- {urlPrefix: 'http://e/x/', filterVerb: f, prioritizeVerb: p, weight: 3, enableHTTPS: true, httpTimeout: 100ms, ignorable: true, nodeCacheCapable: true,
   tlsConfig: {serverName: s}, managedResources: [{name: example.com/gpu, ignoredByScheduler: true}]}`)
    assert.deepEqual(found.queue, { initial: 2_000, max: 20_000 })
    assert.equal(found.kubeconfig, '/etc/k')
    assert.equal(found.leaderElection.isElected, false)
    assert.equal(found.leaderElection.leaseDuration, 60_000)
    assert.deepEqual(found.extenders, [
      {
        urlPrefix: 'https://e/x',
        filterVerb: 'f',
        prioritizeVerb: 'p',
        weight: 3,
        timeout: 100,
        nodeCacheCapable: true,
        managedResources: ['example.com/gpu'],
        isIgnorable: true,
        tls: { insecure: true, servername: 's' },
      },
    ])
  })
})

describe('a configuration is rejected', () => {
  const cases: Readonly<Record<string, readonly [string, string]>> = {
    'with an unknown field': ['profile: []', 'strict decoding error: unknown field "profile"'],
    'with a percentage out of range': [
      'percentageOfNodesToScore: 101',
      'percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]',
    ],
    'with parallelism 0': [
      'parallelism: 0',
      'parallelism: Invalid value: 0: should be an integer value greater than zero',
    ],
    'with a maximum backoff below the initial one': [
      'podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 4',
      'podMaxBackoffSeconds: Invalid value: 4: must be greater than or equal to PodInitialBackoffSeconds',
    ],
    'with a lease shorter than the renew deadline': [
      'leaderElection: {leaseDuration: 5s}',
      'leaderElection.leaseDuration: Invalid value: "5s": LeaseDuration must be greater than RenewDeadline',
    ],
    'with another resource lock': [
      'leaderElection: {resourceLock: endpoints}',
      'leaderElection.resourceLock: Invalid value: "endpoints": resourceLock value must be "leases"',
    ],
    'with two profiles of one name': [
      'profiles: [{schedulerName: a}, {schedulerName: a}]',
      'profiles[1].schedulerName: Duplicate value: "profiles[0].schedulerName"',
    ],
    'with several profiles and a missing name': [
      'profiles: [{schedulerName: a}, {}]',
      'profiles[1].schedulerName: Required value',
    ],
    'with an unknown plugin': [
      'profiles: [{plugins: {score: {enabled: [{name: Guess}]}}}]',
      'profiles[0].plugins.score.enabled[0].name: Not found: "Guess"',
    ],
    'without a Bind plugin': [
      'profiles: [{plugins: {bind: {disabled: [{name: DefaultBinder}]}}}]',
      'profiles[0].plugins.bind: Required value: DefaultBinder must be enabled: there is no other',
    ],
    'with two argument sets for one plugin': [
      'profiles: [{pluginConfig: [{name: NodeAffinity, args: {}}, {name: NodeAffinity, args: {}}]}]',
      'profiles[0].pluginConfig[1]: Duplicate value: "NodeAffinity"',
    ],
    'with arguments of another kind': [
      'profiles: [{pluginConfig: [{name: NodeAffinity, args: {kind: NodeResourcesFitArgs}}]}]',
      'profiles[0].pluginConfig[0].args: Invalid value: {"kind":"NodeResourcesFitArgs"}: has to match plugin args: kubescheduler.config.k8s.io/v1, NodeAffinityArgs',
    ],
    'with a weight out of range': [
      'profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]',
      'profiles[0].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]',
    ],
    'with zero candidates': [
      'profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}]}]',
      '[profiles[0].pluginConfig[0].args.minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute, profiles[0].pluginConfig[0].args.minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage]',
    ],
    'with an unknown scoring strategy': [
      'profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: Best}}}]}]',
      'profiles[0].pluginConfig[0].args.scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
    ],
    'with an unsorted shape': [
      'profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{utilization: 9, score: 1}, {utilization: 9, score: 1}]}}}}]}]',
      'profiles[0].pluginConfig[0].args.scoringStrategy.requestedToCapacityRatio.shape[1].utilization: Invalid value: 9: values must be sorted in increasing order',
    ],
    'with a weight in balanced allocation': [
      'profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 2}]}}]}]',
      'profiles[0].pluginConfig[0].args.resources[0].weight: Invalid value: 2: must be 1',
    ],
    'with default constraints and defaulting type System': [
      'profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}}]}]',
      'profiles[0].pluginConfig[0].args.defaultingType: Invalid value: "System": when .defaultConstraints are not empty',
    ],
    'with an extender without weight': [
      'extenders: [{urlPrefix: http://e, prioritizeVerb: p}]',
      'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
    ],
    'with two extenders that bind': [
      'extenders: [{urlPrefix: http://e, bindVerb: b}, {urlPrefix: http://f, bindVerb: b}]',
      'extenders: Invalid value: "found 2 extenders implementing bind": only one extender can implement bind',
    ],
    'with an invalid managed resource': [
      'extenders: [{urlPrefix: http://e, managedResources: [{name: cpu}]}]',
      'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    ],
  }
  for (const [title, [yaml, message]] of Object.entries(cases))
    test(title, async () => assert.rejects(read(yaml), { message }))

  test('of another kind or version', async () => {
    const { value } = await parseYaml(
      'apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration',
    )
    assert.throws(
      () => configurationSettings(value, '/'),
      /expected a KubeSchedulerConfiguration of kubescheduler.config.k8s.io\/v1/,
    )
  })

  test('from a missing file', async () =>
    assert.rejects(
      loadSchedulerConfiguration('/no/such/file'),
      /invalid scheduler configuration \/no\/such\/file: ENOENT/,
    ))
})
