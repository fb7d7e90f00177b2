import type { Subresource } from '../../../schema/declaration.js'
import { ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import {
  ageColumn,
  column,
  kind,
  nameColumn,
  objectSubresource,
  proxySubresource,
  wideColumn,
} from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { PodSpec } from './pod/spec.js'
import type { PodStatus } from './pod/status.js'

const streams: Subresource['query'] = {
  container: 'string',
  stderr: 'boolean',
  stdin: 'boolean',
  stdout: 'boolean',
  tty: 'boolean',
}

const logOptions: Subresource['query'] = {
  container: 'string',
  follow: 'boolean',
  insecureSkipTLSVerifyBackend: 'boolean',
  limitBytes: 'integer',
  previous: 'boolean',
  sinceSeconds: 'integer',
  stream: 'string',
  tailLines: 'integer',
  timestamps: 'boolean',
}

export const Pod = kind('core/v1.Pod', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PodSpec>(2, 'core/v1.PodSpec', { always: true }),
    status: ref<PodStatus>(3, 'core/v1.PodStatus', { always: true }),
  },
  resource: {
    plural: 'pods',
    returnsDeleted: true,
    shortNames: ['po'],
    categories: ['all'],
    namespaced: true,
    subresources: {
      attach: { verbs: ['create', 'get'], undeclaredKind: 'PodAttachOptions', query: streams },
      binding: { verbs: ['create'], kind: 'core/v1.Binding' },
      ephemeralcontainers: objectSubresource,
      eviction: { verbs: ['create'], kind: 'policy/v1.Eviction' },
      exec: { verbs: ['create', 'get'], undeclaredKind: 'PodExecOptions', query: { command: 'string', ...streams } },
      log: { verbs: ['get'], text: true, query: logOptions },
      portforward: { verbs: ['create', 'get'], undeclaredKind: 'PodPortForwardOptions', query: { ports: 'integer' } },
      proxy: proxySubresource('PodProxyOptions'),
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
