import { quote } from '../../../schema/quote.js'
import type { AuthorizationAttributes } from '../authorizer.js'
import type { NodeRelations, RelatedResource } from './relations.js'

export interface NodeRequest {
  readonly node: string
  readonly attributes: AuthorizationAttributes
  readonly relations: NodeRelations
}

/** Returns undefined if the node may make the request; otherwise the reason in upstream's words, which may be empty. */
type NodeRule = (request: NodeRequest) => string | undefined

const reading: ReadonlySet<string> = new Set(['get', 'list', 'watch'])
const owning: ReadonlySet<string> = new Set(['get', 'create', 'update', 'patch', 'delete'])

/** Resources of which a node may use only some objects, by group and name. */
export const nodeRules: ReadonlyMap<string, NodeRule> = new Map<string, NodeRule>([
  ['/secrets', readRelated('secrets')],
  ['/configmaps', readRelated('configmaps')],
  ['/persistentvolumeclaims', claims],
  ['/persistentvolumes', getRelated('persistentvolumes')],
  ['resource.k8s.io/resourceclaims', getRelated('resourceclaims')],
  ['storage.k8s.io/volumeattachments', getRelated('volumeattachments')],
  ['/serviceaccounts', serviceAccounts],
  ['coordination.k8s.io/leases', leases],
  ['storage.k8s.io/csinodes', csiNodes],
  ['resource.k8s.io/resourceslices', resourceSlices],
  ['certificates.k8s.io/podcertificaterequests', podCertificateRequests],
  ['/nodes', nodes],
  ['/pods', pods],
])

function related(resource: RelatedResource, { node, attributes, relations }: NodeRequest): string | undefined {
  const { namespace, name } = attributes
  if (name === '') return 'No Object name found'
  return relations.relates(node, resource, namespace, name) ? undefined : unrelated(node)
}

function unrelated(node: string): string {
  return `no relationship found between node '${node}' and this object`
}

/** Includes lists and watches of a single object. */
function readRelated(resource: RelatedResource): NodeRule {
  return (request) => {
    const { verb, subresource, namespace } = request.attributes
    if (!reading.has(verb)) return 'can only read resources of this type'
    if (subresource !== '') return 'cannot read subresource'
    if (namespace === '') return 'can only read namespaced object of this type'
    return related(resource, request)
  }
}

function getRelated(resource: RelatedResource): NodeRule {
  return (request) => {
    const { verb, subresource } = request.attributes
    if (verb !== 'get') return 'can only get individual resources of this type'
    if (subresource !== '') return 'cannot get subresource'
    return related(resource, request)
  }
}

/** Includes the status, in which a node reports the resize of a file system. */
function claims(request: NodeRequest): string | undefined {
  const { verb, subresource } = request.attributes
  if (subresource !== 'status') return getRelated('persistentvolumeclaims')(request)
  if (verb !== 'update' && verb !== 'patch') return 'can only get/update/patch this type'
  return related('persistentvolumeclaims', request)
}

function serviceAccounts(request: NodeRequest): string | undefined {
  const { node, attributes, relations } = request
  const { verb, subresource, namespace, name } = attributes
  if (verb === 'get' && subresource === '') return getRelated('serviceaccounts')(request)
  if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts'
  if (subresource !== 'token') return 'can only create token subresource of serviceaccount'
  return relations.relates(node, 'serviceaccounts', namespace, name) ? undefined : unrelated(node)
}

const leaseNamespace = 'kube-node-lease'

/** The name is unknown on creation; the admission plugin NodeRestriction checks it. */
function leases({ node, attributes: { verb, namespace, name } }: NodeRequest): string | undefined {
  if (!owning.has(verb)) return 'can only get, create, update, patch, or delete a node lease'
  if (namespace !== leaseNamespace) return `can only access leases in the ${quote(leaseNamespace)} system namespace`
  if (verb !== 'create' && name !== node) return 'can only access node lease with the same name as the requesting node'
  return undefined
}

function csiNodes({ node, attributes: { verb, subresource, name } }: NodeRequest): string | undefined {
  if (!owning.has(verb)) return 'can only get, create, update, patch, or delete a CSINode'
  if (subresource !== '') return 'cannot authorize CSINode subresources'
  if (verb !== 'create' && name !== node) return 'can only access CSINode with the same name as the requesting node'
  return undefined
}

function resourceSlices(request: NodeRequest): string | undefined {
  const { verb, subresource } = request.attributes
  if (subresource !== '') return 'cannot authorize ResourceSlice subresources'
  switch (verb) {
    case 'create':
      return undefined
    case 'get':
    case 'update':
    case 'patch':
    case 'delete':
      return related('resourceslices', request)
    case 'watch':
    case 'list':
    case 'deletecollection':
      if (keepsToItsNode(request)) return undefined
      return 'can only list/watch/deletecollection resourceslices with nodeName field selector'
    default:
      return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection'
  }
}

function keepsToItsNode({ node, attributes: { fieldSelector = [] } }: NodeRequest): boolean {
  return fieldSelector.some(
    ({ field, operator, value }) => field === 'spec.nodeName' && operator === '=' && value === node,
  )
}

function podCertificateRequests(request: NodeRequest): string | undefined {
  const { verb, subresource } = request.attributes
  if (subresource !== '') return 'nodes may not access the status subresource of PodCertificateRequests'
  if (verb === 'create') return undefined
  if (verb === 'get') return related('podcertificaterequests', request)
  if (verb !== 'list' && verb !== 'watch') return ''
  return keepsToItsNode(request) ? undefined : 'can only list/watch podcertificaterequests with nodeName field selector'
}

/** Compares names only, so that a node may read its own object before it exists. */
function nodes({ node, attributes: { verb, subresource, name } }: NodeRequest): string | undefined {
  if (subresource === 'status') return verb === 'update' || verb === 'patch' ? undefined : ''
  if (subresource !== '') return ''
  if (verb === 'create' || verb === 'update' || verb === 'patch') return undefined
  if (!reading.has(verb)) return ''
  if (name === node) return undefined
  return `node '${node}' cannot read ${name === '' ? 'all nodes' : `'${name}'`}, only its own Node object`
}

function pods(request: NodeRequest): string | undefined {
  const { verb, subresource } = request.attributes
  switch (subresource) {
    case '':
      return wholePods(request)
    case 'status':
      return verb === 'update' || verb === 'patch' ? undefined : ''
    case 'eviction':
      return verb === 'create' ? undefined : ''
    default:
      return ''
  }
}

function wholePods(request: NodeRequest): string | undefined {
  const { verb, name } = request.attributes
  switch (verb) {
    case 'get':
      return getRelated('pods')(request)
    case 'list':
    case 'watch':
      if (keepsToItsNode(request)) return undefined
      if (name !== '') return related('pods', request)
      return 'can only list/watch pods with spec.nodeName field selector'
    case 'create':
    case 'delete':
      return undefined
    default:
      return ''
  }
}
