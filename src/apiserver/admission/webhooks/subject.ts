import type { KubeObject } from '../../../api/kube-object.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { AdmissionRequest } from '../admission.js'
import type { GroupVersionResource, RuleSubject } from './rules.js'

export interface RequestedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** The attributes of a request that webhooks match and see. */
export interface WebhookSubject extends RuleSubject {
  readonly request: AdmissionRequest
  readonly kind: RequestedKind
  readonly name: string
  /**
   * The object of a subresource with a kind of its own: a binding, the options of a connection. It is the same in every version of the
   * resource.
   */
  readonly isSubmission: boolean
  /** Other resources that serve the same object. Computed at the first use, for all webhooks. */
  others?: readonly ServedResource[]
}

export function webhookSubject(request: AdmissionRequest): WebhookSubject {
  const { operation, resource, subresource, object } = request
  const isSubmission = object !== undefined && !isOfKind(object, resource)
  const { group, version, kind } = isSubmission ? kindOf(object) : resource.type.kind
  const isNamespaces = resource.groupResource.group === '' && resource.groupResource.resource === 'namespaces'
  return {
    request,
    operation,
    resource: { ...resource.groupResource, version: versionOf(request) },
    subresource,
    namespace: isNamespaces ? request.name : request.namespace,
    name: request.name,
    kind: { group, version, kind },
    isSubmission,
  }
}

/** A view has a kind of its own, and is served in the versions of its resource. */
function versionOf({ resource, context }: AdmissionRequest): string {
  return resource.isView ? (context?.info.version ?? resource.stored.kind.version) : resource.type.kind.version
}

/** Whether an object has the stored kind of the resource. */
function isOfKind({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>, { stored }: ServedResource): boolean {
  return kind === stored.kind.kind && apiVersion === stored.kind.apiVersion
}

function kindOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): RequestedKind {
  const slash = apiVersion.indexOf('/')
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind }
}

/** Yields other resources with the same storage keys and the same subresource. */
export function* equivalents(
  { request: { resource }, subresource }: WebhookSubject,
  served: Iterable<ServedResource>,
): Iterable<ServedResource> {
  for (const other of served) {
    if (other.prefix !== resource.prefix) continue
    if (subresource === '' || Object.hasOwn(other.type.kind.resource.subresources, subresource)) yield other
  }
}

export function requestedResource({ type, groupResource }: ServedResource): GroupVersionResource {
  return { ...groupResource, version: type.kind.version }
}

/** Webhooks are never called for the configuration of admission: otherwise a webhook could prevent its own removal. */
const exempt: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'mutatingwebhookconfigurations',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
  'validatingwebhookconfigurations',
])

export function isExempt({ resource: { groupResource } }: AdmissionRequest): boolean {
  return groupResource.group === 'admissionregistration.k8s.io' && exempt.has(groupResource.resource)
}
