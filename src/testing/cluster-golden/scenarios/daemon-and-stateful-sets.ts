import type { ClusterScenario, ResponseBody } from '../scenario.js'
import { daemonSet, podFields, statefulSet, untilCount, untilReady, workloadNode } from './workload-manifests.js'

/** One pod for each node; one pod after the other. */
export const daemonAndStatefulSets: readonly ClusterScenario[] = [
  {
    name: 'daemon set: nodes come and go',
    needs: 'controllers',
    exclusive: true,
    steps: [
      { apply: [workloadNode('na'), workloadNode('nb', { taints: [{ key: 'k', value: 'v', effect: 'NoSchedule' }] })] },
      { until: 'usable', get: 'nodes/na', where: ({ spec }) => !spec.taints },
      { until: 'usable', get: 'nodes/nb', where: ({ spec }) => spec.taints.length === 1 },
      { apply: daemonSet('d') },
      { until: 'scheduled', get: 'pods', where: untilCount(1, ({ spec }) => spec.nodeName === 'na') },
      {
        record: 'one pod',
        get: 'pods',
        pick: [
          'metadata.name',
          'metadata.labels',
          'metadata.ownerReferences',
          'spec.nodeName',
          'spec.affinity',
          'spec.tolerations',
        ],
      },
      { podStatus: 'app=d', count: 1 },
      { until: 'available', get: 'daemonsets/d', where: ({ status }) => status.numberAvailable === 1 },
      { record: 'status', get: 'daemonsets/d' },
      { apply: workloadNode('nc') },
      { until: 'second pod', get: 'pods', where: untilCount(2, ({ spec }) => spec.nodeName) },
      { until: 'status', get: 'daemonsets/d', where: ({ status }) => status.currentNumberScheduled === 2 },
      {
        record: 'a new node',
        get: ['daemonsets/d', 'controllerrevisions'],
        pick: [
          'metadata.name',
          'metadata.labels',
          'metadata.ownerReferences',
          'metadata.annotations',
          'revision',
          'data',
          'status',
        ],
      },
      { record: 'table', get: 'daemonsets', table: true },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'stateful set: created in order, scaled down in reverse',
    needs: 'controllers',
    steps: [
      { apply: statefulSet('s', 2) },
      { until: 's-0', get: 'pods/s-0', where: ({ status }) => status.phase },
      { sleep: 1 },
      {
        record: 'only the first',
        get: ['pods', 'statefulsets/s'],
        pick: [...podFields, 'status'],
        mask: ['conditions'],
      },
      { podStatus: 'app=s', count: 1 },
      { until: 's-1', get: 'pods/s-1', where: ({ status }) => status.phase },
      { podStatus: 'app=s', count: 1 },
      untilReady('statefulsets/s', 2),
      {
        record: 'both ready',
        get: ['statefulsets/s', 'controllerrevisions'],
        pick: ['metadata.name', 'metadata.labels', 'metadata.ownerReferences', 'revision', 'data', 'status'],
      },
      { patch: 'statefulsets/s/scale', body: { spec: { replicas: 1 } } },
      { until: 's-1 gone', get: 'pods/s-1', where: ({ code }) => code === 404 },
      untilReady('statefulsets/s', 1),
      { record: 'scaled down', get: 'statefulsets/s' },
      { record: 'table', get: 'statefulsets', table: true },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'stateful set: rolling update with a partition',
    needs: 'controllers',
    steps: [
      {
        apply: statefulSet('s', 3, {
          podManagementPolicy: 'Parallel',
          updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
        }),
      },
      { podStatus: 'app=s', count: 3 },
      untilReady('statefulsets/s', 3),
      { save: 'first', get: 'statefulsets/s', value: ({ status }) => status.currentRevision },
      {
        patch: 'statefulsets/s',
        type: 'strategic',
        body: { spec: { template: { spec: { containers: [{ name: 'c', env: [{ name: 'V', value: '2' }] }] } } } },
      },
      {
        until: 's-2 replaced',
        get: 'pods/s-2',
        where: ({ metadata }, { first }) => metadata.labels['controller-revision-hash'] !== first,
      },
      { podStatus: 'app=s', count: 1 },
      {
        until: 'updated',
        get: 'statefulsets/s',
        where: ({ status, metadata }) =>
          status.updatedReplicas === 1 &&
          status.readyReplicas === 3 &&
          status.observedGeneration === metadata.generation,
      },
      { record: 'one updated', get: 'statefulsets/s' },
      {
        record: 'pods',
        get: 'pods',
        pick: ({ metadata, spec }) => ({ metadata: { name: metadata.name }, env: spec.containers[0].env }),
      },
      { patch: 'statefulsets/s', body: { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } } },
      { podStatus: 'app=s', count: 1 },
      { podStatus: 'app=s', count: 1 },
      {
        until: 'complete',
        get: 'statefulsets/s',
        where: ({ status }) => status.currentRevision === status.updateRevision && status.readyReplicas === 3,
      },
      { record: 'complete', get: 'statefulsets/s' },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'stateful set: claims from templates',
    needs: 'controllers',
    steps: [
      {
        apply: statefulSet('s', 1, {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data', labels: { of: 's' } },
              spec: {
                accessModes: ['ReadWriteOnce'],
                storageClassName: 'none-{id}',
                resources: { requests: { storage: '1Gi' } },
              },
            },
          ],
        }),
      },
      { until: 'pod', get: 'pods/s-0', where: ({ status }) => status.phase },
      {
        record: 'claim',
        get: 'persistentvolumeclaims',
        pick: ['metadata.name', 'metadata.labels', 'metadata.ownerReferences', 'metadata.finalizers', 'spec', 'status'],
      },
      {
        record: 'pod volumes',
        get: 'pods/s-0',
        pick: ({ spec }) => spec.volumes.filter(({ name }: ResponseBody) => name === 'data'),
      },
      { delete: 'statefulsets/s', body: { propagationPolicy: 'Background' } },
      { until: 'pod gone', get: 'pods/s-0', where: ({ code }) => code === 404 },
      { record: 'the claim stays', get: 'persistentvolumeclaims', pick: ['metadata.name', 'status'] },
      { record: 'events', events: true },
    ],
  },
]
