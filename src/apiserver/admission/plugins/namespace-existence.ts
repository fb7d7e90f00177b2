import type { Namespace } from '../../../api/core/v1/namespace.js'
import { notFound } from '../../../api/errors.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookups } from '../lookup.js'
import { isFor } from '../requests.js'

/** Makes the namespace of whatever is created, if there is none. */
export function namespaceAutoProvision(
  lookups: ObjectLookups,
  provision: (namespace: string) => Promise<void>,
): AdmissionPlugin {
  const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
  return {
    name: 'NamespaceAutoProvision',
    handles: (request) => request.operation === 'CREATE' && isInNamespace(request) && !request.dryRun,
    async mutate({ namespace }) {
      if (!(await namespaces.find(namespace))) await provision(namespace)
    },
  }
}

/** Refuses whatever is written into a namespace that is not there. */
export function namespaceExists(lookups: ObjectLookups): AdmissionPlugin {
  const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
  return {
    name: 'NamespaceExists',
    handles: (request) => request.operation !== 'CONNECT' && isInNamespace(request),
    async validate({ namespace }) {
      if (!(await namespaces.find(namespace))) throw notFound({ group: '', resource: 'namespaces' }, namespace)
    },
  }
}

function isInNamespace(request: AdmissionRequest): boolean {
  return request.namespace !== '' && !isFor(request, '', 'namespaces', request.subresource)
}
