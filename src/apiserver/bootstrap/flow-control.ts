// The flow schemas and priority levels of a new cluster.

const annotations = { 'apf.kubernetes.io/autoupdate-spec': 'true' }
const apiVersion = 'flowcontrol.apiserver.k8s.io/v1'

interface Level {
  readonly shares: number
  readonly lendable: number
  readonly queues: number
  readonly handSize: number
}

function limited(name: string, { shares, lendable, queues, handSize }: Level): object {
  const queuing = { queues, handSize, queueLengthLimit: 50 }
  const limitResponse = queues === 0 ? { type: 'Reject' } : { type: 'Queue', queuing }
  const spec = { nominalConcurrencyShares: shares, lendablePercent: lendable, limitResponse }
  return {
    kind: 'PriorityLevelConfiguration',
    apiVersion,
    metadata: { name, annotations },
    spec: { type: 'Limited', limited: spec },
  }
}

export const priorityLevels: readonly object[] = [
  {
    kind: 'PriorityLevelConfiguration',
    apiVersion,
    metadata: { name: 'exempt', annotations },
    spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
  },
  limited('catch-all', { shares: 5, lendable: 0, queues: 0, handSize: 0 }),
  limited('system', { shares: 30, lendable: 33, queues: 64, handSize: 6 }),
  limited('node-high', { shares: 40, lendable: 25, queues: 64, handSize: 6 }),
  limited('leader-election', { shares: 10, lendable: 0, queues: 16, handSize: 4 }),
  limited('workload-high', { shares: 40, lendable: 50, queues: 128, handSize: 6 }),
  limited('workload-low', { shares: 100, lendable: 90, queues: 128, handSize: 6 }),
  limited('global-default', { shares: 20, lendable: 50, queues: 128, handSize: 6 }),
]

type Subject = object

const group = (name: string): Subject => ({ kind: 'Group', group: { name } })
const user = (name: string): Subject => ({ kind: 'User', user: { name } })
const account = (name: string): Subject => ({
  kind: 'ServiceAccount',
  serviceAccount: { name, namespace: 'kube-system' },
})

const everyone = [group('system:unauthenticated'), group('system:authenticated')]

const anyResource = { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }
const anyPath = { verbs: ['*'], nonResourceURLs: ['*'] }

function rule(
  subjects: readonly Subject[],
  resourceRules: readonly object[],
  nonResourceRules: readonly object[] = [],
) {
  return {
    subjects,
    ...(resourceRules.length > 0 && { resourceRules }),
    ...(nonResourceRules.length > 0 && { nonResourceRules }),
  }
}

function anything(...subjects: readonly Subject[]): object {
  return rule(subjects, [anyResource], [anyPath])
}

interface Schema {
  readonly precedence: number
  readonly level: string
  /** What separates the flows of the schema. */
  readonly by?: 'ByUser' | 'ByNamespace'
  readonly rules: readonly object[]
}

function flowSchema(name: string, { precedence, level, by, rules }: Schema): object {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named "${level}" and it exists`
  return {
    kind: 'FlowSchema',
    apiVersion,
    metadata: { name, annotations },
    spec: {
      priorityLevelConfiguration: { name: level },
      matchingPrecedence: precedence,
      ...(by && { distinguisherMethod: { type: by } }),
      rules,
    },
    status: { conditions: [{ type: 'Dangling', status: 'False', reason: 'Found', message }] },
  }
}

const held = ['get', 'create', 'update']
const leases = { verbs: held, apiGroups: ['coordination.k8s.io'], resources: ['leases'] }
const controllers = [user('system:kube-controller-manager'), user('system:kube-scheduler')]

export const flowSchemas: readonly object[] = [
  flowSchema('exempt', { precedence: 1, level: 'exempt', rules: [anything(group('system:masters'))] }),
  flowSchema('probes', {
    precedence: 2,
    level: 'exempt',
    rules: [rule(everyone, [], [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }])],
  }),
  flowSchema('system-leader-election', {
    precedence: 100,
    level: 'leader-election',
    by: 'ByUser',
    rules: [rule([...controllers, account('*')], [{ ...leases, namespaces: ['*'] }])],
  }),
  flowSchema('endpoint-controller', {
    precedence: 150,
    level: 'workload-high',
    by: 'ByUser',
    rules: [
      rule(
        [
          user('system:kube-controller-manager'),
          account('endpoint-controller'),
          account('endpointslicemirroring-controller'),
        ],
        [{ verbs: held, apiGroups: [''], resources: ['endpoints'], namespaces: ['*'] }],
      ),
    ],
  }),
  flowSchema('workload-leader-election', {
    precedence: 200,
    level: 'leader-election',
    by: 'ByUser',
    rules: [
      rule(
        [account('*')],
        [
          { verbs: held, apiGroups: [''], resources: ['endpoints', 'configmaps'], namespaces: ['*'] },
          { ...leases, namespaces: ['*'] },
        ],
      ),
    ],
  }),
  flowSchema('system-node-high', {
    precedence: 400,
    level: 'node-high',
    by: 'ByUser',
    rules: [
      rule(
        [group('system:nodes')],
        [
          {
            verbs: ['*'],
            apiGroups: [''],
            resources: ['nodes', 'nodes/status'],
            clusterScope: true,
            namespaces: ['*'],
          },
          { verbs: ['*'], apiGroups: ['coordination.k8s.io'], resources: ['leases'], namespaces: ['*'] },
        ],
      ),
    ],
  }),
  flowSchema('system-nodes', {
    precedence: 500,
    level: 'system',
    by: 'ByUser',
    rules: [anything(group('system:nodes'))],
  }),
  ...(['kube-controller-manager', 'kube-scheduler'] as const).map((name) =>
    flowSchema(name, {
      precedence: 800,
      level: 'workload-high',
      by: 'ByNamespace',
      rules: [anything(user(`system:${name}`))],
    }),
  ),
  flowSchema('kube-system-service-accounts', {
    precedence: 900,
    level: 'workload-high',
    by: 'ByNamespace',
    rules: [anything(account('*'))],
  }),
  flowSchema('service-accounts', {
    precedence: 9000,
    level: 'workload-low',
    by: 'ByUser',
    rules: [anything(group('system:serviceaccounts'))],
  }),
  flowSchema('global-default', {
    precedence: 9900,
    level: 'global-default',
    by: 'ByUser',
    rules: [anything(...everyone)],
  }),
  flowSchema('catch-all', { precedence: 10_000, level: 'catch-all', by: 'ByUser', rules: [anything(...everyone)] }),
]
