import type { Namespace } from '../../../api/core/v1/namespace.js'
import { notFound } from '../../../api/errors.js'
import { cause } from '../../../api/failure.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor } from '../request.js'

/** Namespaces that a cluster needs. */
const permanent: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** Rejects new objects in a namespace that does not exist or is being deleted. */
export const namespaceLifecycle = defineAdmissionPlugin({
  name: 'NamespaceLifecycle',
  position: 30,
  isDefault: true,
  create({ lookups }) {
    const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
    return {
      handles: ({ operation }) => operation !== 'CONNECT',
      mutate: (request) => check(request, namespaces),
    }
  },
})

function check(request: AdmissionRequest, namespaces: ObjectLookup<Namespace>): void | Promise<void> {
  if (isFor(request, '', 'namespaces', request.subresource)) return checkNamespaceDeletion(request)
  if (request.namespace === '' || request.operation === 'DELETE' || isAccessReview(request)) return
  const namespace = namespaces.get(request.namespace)
  return namespace ? checkNotTerminating(request, namespace) : checkFound(request, namespaces)
}

function checkNamespaceDeletion(request: AdmissionRequest): void {
  if (request.operation === 'DELETE' && permanent.has(request.name))
    throw rejection(request, 'this namespace may not be deleted')
}

/** Access reviews may name any namespace. */
function isAccessReview(request: AdmissionRequest): boolean {
  return isFor(request, 'authorization.k8s.io', 'localsubjectaccessreviews')
}

async function checkFound(request: AdmissionRequest, namespaces: ObjectLookup<Namespace>): Promise<void> {
  const namespace = await namespaces.find(request.namespace)
  if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, request.namespace)
  checkNotTerminating(request, namespace)
}

function checkNotTerminating(request: AdmissionRequest, { status }: Namespace): void {
  if (request.operation !== 'CREATE' || status.phase !== 'Terminating') return
  const { namespace } = request
  throw rejection(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    cause('NamespaceTerminating', `namespace ${namespace} is being terminated`, 'metadata.namespace'),
  ])
}
