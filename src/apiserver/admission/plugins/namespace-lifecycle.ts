import type { Namespace } from '../../../api/core/v1/namespace.js'
import { notFound } from '../../../api/errors.js'
import { cause } from '../../../api/failure.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor } from '../requests.js'

/** Namespaces without which a cluster does not work. */
const immortal: ReadonlySet<string> = new Set(['default', 'kube-system', 'kube-public'])

/** Nothing is made in a namespace that is not there, or no longer. */
export function namespaceLifecycle(lookups: ObjectLookups): AdmissionPlugin {
  const namespaces = lookups.of<Namespace>('', 'v1', 'namespaces')
  return {
    name: 'NamespaceLifecycle',
    handles: ({ operation }) => operation !== 'CONNECT',
    mutate: (request) => check(request, namespaces),
  }
}

function check(request: AdmissionRequest, namespaces: ObjectLookup<Namespace>): void | Promise<void> {
  if (isFor(request, '', 'namespaces', request.subresource)) return checkNamespaceItself(request)
  if (request.namespace === '' || request.operation === 'DELETE' || isAccessReview(request)) return
  const namespace = namespaces.get(request.namespace)
  return namespace ? checkOpen(request, namespace) : checkFound(request, namespaces)
}

function checkNamespaceItself(request: AdmissionRequest): void {
  if (request.operation === 'DELETE' && immortal.has(request.name))
    throw rejection(request, 'this namespace may not be deleted')
}

/** Asking is allowed about any namespace. */
function isAccessReview(request: AdmissionRequest): boolean {
  return isFor(request, 'authorization.k8s.io', 'localsubjectaccessreviews')
}

async function checkFound(request: AdmissionRequest, namespaces: ObjectLookup<Namespace>): Promise<void> {
  const namespace = await namespaces.find(request.namespace)
  if (!namespace) throw notFound({ group: '', resource: 'namespaces' }, request.namespace)
  checkOpen(request, namespace)
}

function checkOpen(request: AdmissionRequest, { status }: Namespace): void {
  if (request.operation !== 'CREATE' || status.phase !== 'Terminating') return
  const { namespace } = request
  throw rejection(request, `unable to create new content in namespace ${namespace} because it is being terminated`, [
    cause('NamespaceTerminating', `namespace ${namespace} is being terminated`, 'metadata.namespace'),
  ])
}
