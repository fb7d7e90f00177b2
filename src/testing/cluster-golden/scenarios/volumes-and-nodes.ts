import type { ClusterScenario, ResponseBody } from '../scenario.js'
import { claimManifest, volumeManifest } from './volume-manifests.js'
import { workloadNode, workloadPod } from './workload-manifests.js'

const kept = { persistentVolumeReclaimPolicy: 'Retain', hostPath: { path: '/tmp/x' } }

/** Claims find volumes; nodes fall silent. */
export const volumesAndNodes: readonly ClusterScenario[] = [
  {
    name: 'claims: bound to a static volume, the smallest that fits',
    needs: 'controllers',
    steps: [
      {
        apply: [
          volumeManifest('big-{id}', '5Gi', 'sc-{id}', kept),
          volumeManifest('fit-{id}', '2Gi', 'sc-{id}', kept),
          volumeManifest('small-{id}', '500Mi', 'sc-{id}', kept),
        ],
      },
      {
        apply: [
          claimManifest('c', { storageClassName: 'sc-{id}' }),
          claimManifest('many', { storageClassName: 'sc-{id}', accessMode: 'ReadWriteMany' }),
          claimManifest('plain', { storageClassName: '', storage: '900Gi' }),
        ],
      },
      { until: 'bound', get: 'persistentvolumeclaims/c', where: ({ status }) => status.phase === 'Bound' },
      {
        record: 'claims',
        get: 'persistentvolumeclaims',
        pick: ['metadata.name', 'metadata.annotations', 'metadata.finalizers', 'spec.volumeName', 'status'],
      },
      {
        record: 'volume',
        get: 'persistentvolumes/fit-{id}',
        pick: ['metadata.annotations', 'metadata.finalizers', 'spec.claimRef', 'status'],
      },
      {
        until: 'events',
        get: 'events',
        where: (list) =>
          list.items.filter(({ message }: ResponseBody) => /no persistent volumes available|not found/.test(message))
            .length >= 2,
      },
      { record: 'events', events: true },
      { delete: 'persistentvolumeclaims/c' },
      { until: 'released', get: 'persistentvolumes/fit-{id}', where: ({ status }) => status.phase === 'Released' },
      {
        record: 'released',
        get: 'persistentvolumes/fit-{id}',
        pick: ['metadata.annotations', 'metadata.finalizers', 'spec.claimRef', 'status'],
      },
      { record: 'table', get: 'persistentvolumeclaims', table: true },
    ],
  },
  {
    name: 'node: without heartbeats it becomes unknown',
    needs: 'controllers',
    exclusive: true,
    silent: ['na-{id}'],
    steps: [
      { apply: [workloadNode('na-{id}'), workloadNode('nb-{id}')] },
      { until: 'no taints', get: 'nodes', where: (list) => list.items.every(({ spec }: ResponseBody) => !spec.taints) },
      {
        record: 'fresh',
        get: 'nodes/na-{id}',
        pick: ['metadata.labels', 'metadata.annotations', 'spec', 'status.conditions'],
      },
      {
        apply: [
          workloadPod('stays', { a: 'b' }, { nodeName: 'na-{id}', tolerations: [{ operator: 'Exists' }] }),
          workloadPod(
            'short',
            { a: 'b' },
            {
              nodeName: 'na-{id}',
              tolerations: [
                {
                  key: 'node.kubernetes.io/unreachable',
                  operator: 'Exists',
                  effect: 'NoExecute',
                  tolerationSeconds: 1,
                },
              ],
            },
          ),
        ],
      },
      { podStatus: 'a=b', count: 2 },
      {
        until: 'unknown',
        get: 'nodes/na-{id}',
        where: ({ status, spec }) =>
          status.conditions.find(({ type }: ResponseBody) => type === 'Ready').status === 'Unknown' &&
          spec.taints?.length === 2,
        timeout: 90,
      },
      { until: 'evicted', get: 'pods/short', where: ({ metadata }) => metadata.deletionTimestamp },
      {
        record: 'unknown',
        get: 'nodes/na-{id}',
        pick: ['metadata.labels', 'metadata.annotations', 'spec', 'status.conditions'],
      },
      { record: 'the other node', get: 'nodes/nb-{id}', pick: ['spec', 'status.conditions'] },
      {
        record: 'pods',
        get: 'pods',
        pick: ({ metadata, status }) => ({
          metadata: { name: metadata.name, deletionTimestamp: metadata.deletionTimestamp },
          conditions: status.conditions,
          phase: status.phase,
        }),
      },
      { record: 'events', events: true },
      {
        record: 'node events',
        events: ({ involvedObject }, { id }) => involvedObject.name === `na-${id}`,
        get: '/api/v1/namespaces/default/events',
      },
    ],
  },
]
