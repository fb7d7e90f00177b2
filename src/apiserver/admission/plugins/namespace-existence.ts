import type { Namespace } from '../../../api/core/v1/namespace.js'
import { notFound } from '../../../api/errors.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import { isFor } from '../request.js'

/** Creates the namespace of a new object if it does not exist. */
export const namespaceAutoProvision = defineAdmissionPlugin({
  name: 'NamespaceAutoProvision',
  position: 20,
  create({ lookups, createNamespace }) {
    const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
    return {
      handles: (request) => request.operation === 'CREATE' && isInNamespace(request) && !request.dryRun,
      async mutate({ namespace }) {
        if (!(await namespaces.find(namespace))) await createNamespace(namespace)
      },
    }
  },
})

/** Rejects writes in a namespace that does not exist. */
export const namespaceExists = defineAdmissionPlugin({
  name: 'NamespaceExists',
  position: 40,
  create({ lookups }) {
    const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
    return {
      handles: (request) => request.operation !== 'CONNECT' && isInNamespace(request),
      async validate({ namespace }) {
        if (!(await namespaces.find(namespace))) throw notFound({ group: '', resource: 'namespaces' }, namespace)
      },
    }
  },
})

function isInNamespace(request: AdmissionRequest): boolean {
  return request.namespace !== '' && !isFor(request, '', 'namespaces', request.subresource)
}
