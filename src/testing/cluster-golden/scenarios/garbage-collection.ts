import type { ClusterScenario, ResponseBody } from '../scenario.js'
import { deploymentManifest, podFields, untilCount } from './workload-manifests.js'

/** What goes with its owner, and with its namespace. */
export const garbageCollection: readonly ClusterScenario[] = [
  {
    name: 'garbage collection: three propagation policies',
    needs: 'controllers',
    steps: [
      { apply: [deploymentManifest('bg', 1), deploymentManifest('fg', 1), deploymentManifest('or', 1)] },
      { until: 'pods', get: 'pods', where: untilCount(3) },
      { delete: 'deployments/bg', body: { propagationPolicy: 'Background' } },
      { delete: 'deployments/fg', body: { propagationPolicy: 'Foreground' } },
      { delete: 'deployments/or', body: { propagationPolicy: 'Orphan' } },
      { until: 'one pod', get: 'pods', where: untilCount(1) },
      { until: 'no deployment', get: 'deployments', where: untilCount(0) },
      { until: 'one replica set', get: 'replicasets', where: untilCount(1) },
      { record: 'left', get: ['deployments', 'replicasets', 'pods'], pick: podFields },
      { record: 'events', events: true },
    ],
  },
  {
    name: 'garbage collection: foreground waits for a blocked dependent',
    needs: 'controllers',
    steps: [
      { apply: { kind: 'ConfigMap', metadata: { name: 'owner' } } },
      { save: 'uid', get: 'configmaps/owner', value: ({ metadata }) => metadata.uid },
      {
        apply: [
          {
            kind: 'ConfigMap',
            metadata: {
              name: 'dep',
              finalizers: ['example.com/hold'],
              ownerReferences: [
                { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '{uid}', blockOwnerDeletion: true },
              ],
            },
          },
          {
            kind: 'ConfigMap',
            metadata: {
              name: 'loose',
              finalizers: ['example.com/hold'],
              ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '{uid}' }],
            },
          },
        ],
      },
      { delete: 'configmaps/owner', body: { propagationPolicy: 'Foreground' } },
      {
        until: 'dependents are being deleted',
        get: 'configmaps',
        where: (list) => list.items.filter(({ metadata }: ResponseBody) => metadata.deletionTimestamp).length === 3,
      },
      {
        record: 'waiting',
        get: 'configmaps',
        pick: ({ metadata }) =>
          metadata.name === 'kube-root-ca.crt' ? { metadata: { name: 'kube-root-ca.crt' } } : { metadata },
      },
      { patch: 'configmaps/dep', body: { metadata: { finalizers: null } } },
      { until: 'owner gone', get: 'configmaps/owner', where: ({ code }) => code === 404 },
      { record: 'owner gone though one is left', get: 'configmaps', pick: ['metadata.name', 'metadata.finalizers'] },
      { patch: 'configmaps/loose', body: { metadata: { finalizers: null } } },
    ],
  },
  {
    name: 'namespace: deletion held by finalizers',
    needs: 'controllers',
    steps: [
      { apply: { kind: 'Namespace', metadata: { name: 'held-{id}' } } },
      {
        until: 'service account',
        get: '/api/v1/namespaces/held-{id}/serviceaccounts/default',
        where: ({ metadata }) => metadata.name,
      },
      {
        apply: [
          { kind: 'ConfigMap', metadata: { name: 'a', namespace: 'held-{id}', finalizers: ['example.com/hold'] } },
          {
            kind: 'Secret',
            metadata: { name: 'b', namespace: 'held-{id}', finalizers: ['example.com/hold', 'example.com/other'] },
          },
          { kind: 'ConfigMap', metadata: { name: 'c', namespace: 'held-{id}' } },
        ],
      },
      { delete: 'namespaces/held-{id}' },
      {
        until: 'conditions',
        get: 'namespaces/held-{id}',
        where: ({ status }) =>
          status.conditions?.some(
            ({ type, status }: ResponseBody) => type === 'NamespaceFinalizersRemaining' && status === 'True',
          ),
      },
      { record: 'held', get: 'namespaces/held-{id}', pick: ['metadata.labels', 'spec', 'status'] },
      {
        record: 'left inside',
        get: ['/api/v1/namespaces/held-{id}/configmaps', '/api/v1/namespaces/held-{id}/secrets'],
        pick: ['metadata.name'],
      },
      { patch: '/api/v1/namespaces/held-{id}/configmaps/a', body: { metadata: { finalizers: null } } },
      { patch: '/api/v1/namespaces/held-{id}/secrets/b', body: { metadata: { finalizers: null } } },
      { until: 'gone', get: 'namespaces/held-{id}', where: ({ code }) => code === 404, timeout: 60 },
    ],
  },
  {
    name: 'namespace: what appears in a new one',
    needs: 'controllers',
    bare: true,
    steps: [
      { until: 'account', get: 'serviceaccounts/default', where: ({ metadata }) => metadata.name },
      { until: 'certificate', get: 'configmaps/kube-root-ca.crt', where: ({ data }) => data },
      {
        record: 'objects',
        get: ['serviceaccounts', 'configmaps', 'secrets'],
        pick: ({ metadata, data }) => ({
          metadata: { name: metadata.name, annotations: metadata.annotations, labels: metadata.labels },
          keys: Object.keys(data ?? {}),
        }),
      },
      { delete: 'serviceaccounts/default' },
      { until: 'made again', get: 'serviceaccounts/default', where: ({ metadata }) => metadata.name },
      { patch: 'configmaps/kube-root-ca.crt', body: { data: { 'ca.crt': 'changed' } } },
      { until: 'put right', get: 'configmaps/kube-root-ca.crt', where: ({ data }) => /BEGIN/.test(data['ca.crt']) },
      { record: 'restored', get: ['serviceaccounts'], pick: ['metadata.name'] },
    ],
  },
]
