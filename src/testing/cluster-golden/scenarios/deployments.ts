import type { ClusterScenario, ResponseBody, ScenarioStep } from '../scenario.js'
import { deploymentManifest, podFields, replicaSetFields, untilCount, untilSettled } from './workload-manifests.js'

/** Rollouts: forward, back, paused, too slow. */
export const deployments: readonly ClusterScenario[] = [
  {
    name: 'deployment: created, becomes available',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 2) },
      { until: 'two pods', get: 'pods', where: untilCount(2) },
      {
        until: 'status seen',
        get: 'deployments/web',
        where: ({ status }) => status.unavailableReplicas === 2 && status.conditions?.length === 2,
      },
      { record: 'before any pod is ready', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { podStatus: 'app=web', count: 2 },
      untilSettled('web', 2),
      { record: 'deployment', get: 'deployments/web' },
      { record: 'replica set', get: 'replicasets', pick: replicaSetFields },
      { record: 'pods', get: 'pods', pick: podFields },
      { record: 'events', events: true },
      { record: 'tables', get: ['deployments', 'replicasets'], table: true },
    ],
  },
  {
    name: 'deployment: scaled up, down and to zero',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 1) },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      { patch: 'deployments/web/scale', body: { spec: { replicas: 3 } } },
      { podStatus: 'app=web', count: 2 },
      untilSettled('web', 3),
      { record: 'scaled up', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { patch: 'deployments/web/scale', body: { spec: { replicas: 1 } } },
      untilSettled('web', 1),
      { record: 'scaled down', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { patch: 'deployments/web', body: { spec: { replicas: 0 } } },
      { until: 'no pods', get: 'pods', where: untilCount(0) },
      { record: 'scaled to zero', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'deployment: rolling update one by one',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 2, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } }) },
      { podStatus: 'app=web', count: 2 },
      untilSettled('web', 2),
      {
        patch: 'deployments/web',
        type: 'strategic',
        body: {
          metadata: { annotations: { 'kubernetes.io/change-cause': 'second' } },
          spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'V', value: '2' }] }] } } },
        },
      },
      { until: 'a surge pod', get: 'pods', where: untilCount(3) },
      // its Progressing condition is either NewReplicaSetCreated or ReplicaSetUpdated by now
      {
        record: 'held by the first new pod',
        get: ['deployments/web', 'replicasets'],
        pick: replicaSetFields,
        mask: ['conditions'],
      },
      { podStatus: 'app=web', count: 1 },
      {
        until: 'the second new pod',
        get: 'deployments/web',
        where: ({ status }) => status.updatedReplicas === 2 && status.replicas === 3,
      },
      { record: 'half way', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 2),
      { until: 'old pods gone', get: 'pods', where: untilCount(2) },
      { record: 'done', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'deployment: rolled back to the first revision',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 1) },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      {
        patch: 'deployments/web',
        type: 'strategic',
        body: { spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'V', value: '2' }] }] } } } },
      },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      { until: 'old pod gone', get: 'pods', where: untilCount(1) },
      { record: 'revision 2', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      {
        patch: 'deployments/web',
        type: 'json',
        body: [{ op: 'remove', path: '/spec/template/spec/containers/0/env' }],
      },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      { until: 'old pod gone', get: 'pods', where: untilCount(1) },
      { record: 'revision 3 is revision 1 again', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
    ],
  },
  {
    name: 'deployment: paused, changed, resumed',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 1) },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      { patch: 'deployments/web', body: { spec: { paused: true } } },
      {
        until: 'paused',
        get: 'deployments/web',
        where: ({ status }) => status.conditions.some(({ reason }: ResponseBody) => reason === 'DeploymentPaused'),
      },
      {
        patch: 'deployments/web',
        type: 'strategic',
        body: {
          spec: { replicas: 2, template: { spec: { containers: [{ name: 'c', env: [{ name: 'V', value: '2' }] }] } } },
        },
      },
      {
        until: 'scaled though paused',
        get: 'replicasets',
        where: (list) => list.items.length === 1 && list.items[0].spec.replicas === 2,
      },
      { record: 'paused', get: ['deployments/web', 'replicasets'], pick: replicaSetFields },
      { patch: 'deployments/web', body: { spec: { paused: false } } },
      { until: 'a second replica set', get: 'replicasets', where: untilCount(2) },
      {
        until: 'resumed',
        get: 'deployments/web',
        where: ({ status, metadata }) =>
          status.observedGeneration === metadata.generation && status.updatedReplicas >= 1,
      },
      { record: 'resumed', get: ['deployments/web'], pick: ['metadata.annotations', 'status.conditions'] },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'deployment: progress deadline exceeded',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 1, { progressDeadlineSeconds: 2 }) },
      {
        until: 'deadline',
        get: 'deployments/web',
        where: ({ status }) =>
          status.conditions.some(({ reason }: ResponseBody) => reason === 'ProgressDeadlineExceeded'),
      },
      { record: 'exceeded', get: 'deployments/web' },
      { podStatus: 'app=web', count: 1 },
      untilSettled('web', 1),
      { record: 'recovered', get: 'deployments/web' },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'deployment: history limit',
    needs: 'controllers',
    steps: [
      { apply: deploymentManifest('web', 0, { revisionHistoryLimit: 1 }) },
      { until: 'first', get: 'replicasets', where: untilCount(1) },
      ...['2', '3', '4'].flatMap((value): ScenarioStep[] => [
        {
          patch: 'deployments/web',
          type: 'strategic',
          body: { spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'V', value }] }] } } } },
        },
        {
          until: `revision ${value}`,
          get: 'deployments/web',
          where: ({ metadata, status }) =>
            metadata.annotations['deployment.kubernetes.io/revision'] === value &&
            status.observedGeneration === metadata.generation,
        },
      ]),
      { until: 'older ones gone', get: 'replicasets', where: untilCount(2) },
      { record: 'replica sets left', get: 'replicasets', pick: replicaSetFields },
      { record: 'deployment', get: 'deployments/web' },
    ],
  },
]
