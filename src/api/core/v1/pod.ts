import { ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { PodSpec } from './pod-spec.js'
import type { PodStatus } from './pod-status.js'

export const Pod = kind('core/v1.Pod', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PodSpec>(2, 'core/v1.PodSpec', { always: true }),
    status: ref<PodStatus>(3, 'core/v1.PodStatus', { always: true }),
  },
  resource: {
    plural: 'pods',
    shortNames: ['po'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      attach: { verbs: ['create', 'get'], undeclaredKind: 'PodAttachOptions' },
      binding: { verbs: ['create'], kind: 'core/v1.Binding' },
      ephemeralcontainers: objectSubresource,
      eviction: { verbs: ['create'], kind: 'policy/v1.Eviction' },
      exec: { verbs: ['create', 'get'], undeclaredKind: 'PodExecOptions' },
      log: { verbs: ['get'] },
      portforward: { verbs: ['create', 'get'], undeclaredKind: 'PodPortForwardOptions' },
      proxy: { verbs: ['create', 'delete', 'get', 'patch', 'update'], undeclaredKind: 'PodProxyOptions' },
      resize: objectSubresource,
      status: objectSubresource,
    },
    columns: [
      nameColumn,
      column('Ready'),
      column('Status'),
      column('Restarts'),
      ageColumn,
      wideColumn('IP'),
      wideColumn('Node'),
      wideColumn('Nominated Node'),
      wideColumn('Readiness Gates'),
    ],
  },
})
export interface Pod extends Instance<typeof Pod> {}
