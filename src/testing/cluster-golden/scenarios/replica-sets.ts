import type { ClusterScenario, ResponseBody } from '../scenario.js'
import {
  deploymentManifest,
  podFields,
  replicaSet,
  replicaSetFields,
  untilCount,
  workloadPod,
} from './workload-manifests.js'

/** Pods that come to a replica set, leave it, or are refused to it. */
export const replicaSets: readonly ClusterScenario[] = [
  {
    name: 'replica set: adopts and releases pods',
    needs: 'controllers',
    steps: [
      { apply: [workloadPod('stray', { app: 'web', extra: 'yes' }), workloadPod('other', { app: 'other' })] },
      { apply: replicaSet('web', 2) },
      { until: 'one more pod', get: 'pods?labelSelector=app=web', where: untilCount(2) },
      { until: 'adopted', get: 'pods/stray', where: ({ metadata }) => metadata.ownerReferences?.length === 1 },
      {
        record: 'adopted',
        get: ['pods', 'replicasets/web'],
        pick: [...podFields, 'status.replicas', 'status.fullyLabeledReplicas'],
      },
      { patch: 'pods/stray', body: { metadata: { labels: { app: 'gone' } } } },
      { until: 'released', get: 'pods/stray', where: ({ metadata }) => !metadata.ownerReferences },
      { until: 'replaced', get: 'pods?labelSelector=app=web', where: untilCount(2) },
      {
        record: 'released',
        get: ['pods', 'replicasets/web'],
        pick: [...podFields, 'status.replicas', 'status.fullyLabeledReplicas'],
      },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'replica set: quota refuses pods',
    needs: 'controllers',
    steps: [
      { apply: { kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard: { pods: '1' } } } },
      { until: 'quota counted', get: 'resourcequotas/q', where: ({ status }) => status.used?.pods === '0' },
      { apply: deploymentManifest('web', 3) },
      {
        until: 'failure noted',
        get: 'deployments/web',
        where: ({ status }) => status.conditions?.some(({ type }: ResponseBody) => type === 'ReplicaFailure'),
      },
      {
        until: 'the message names the full quota',
        get: 'replicasets',
        where: (list) => /used: pods=1/.test(list.items[0].status.conditions[0].message),
      },
      {
        until: 'copied',
        get: 'deployments/web',
        where: ({ status }) =>
          /used: pods=1/.test(status.conditions.find(({ type }: ResponseBody) => type === 'ReplicaFailure')?.message),
      },
      { record: 'deployment and replica set', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { record: 'quota', get: 'resourcequotas/q' },
      { record: 'events', events: ({ message }) => !/used: pods=0/.test(message) },
    ],
  },
]
