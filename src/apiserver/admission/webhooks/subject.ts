import type { KubeObject } from '../../../api/kube-object.js'
import type { ServedResource } from '../../registry/served-resource.js'
import type { AdmissionRequest } from '../admission.js'
import type { GroupVersionResource, RuleSubject } from './rules.js'

export interface RequestedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

/** What a request is about, in the words in which webhooks are told. */
export interface WebhookSubject extends RuleSubject {
  readonly request: AdmissionRequest
  readonly kind: RequestedKind
  readonly name: string
  /**
   * What was sent to a subresource is of a kind of its own: a binding, the options of a connection. It is the same in every version
   * of the resource.
   */
  readonly isSubmission: boolean
  /** The other ways to the same object; kept by whoever first looks for them, because every webhook may. */
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

/** A view is of a kind of its own, and served in the versions of what it is a view of. */
function versionOf({ resource, context }: AdmissionRequest): string {
  return resource.isView ? (context?.info.version ?? resource.stored.kind.version) : resource.type.kind.version
}

/** Plugins see objects as they are stored. */
function isOfKind({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>, { stored }: ServedResource): boolean {
  return kind === stored.kind.kind && apiVersion === stored.kind.apiVersion
}

function kindOf({ apiVersion, kind }: Pick<KubeObject, 'apiVersion' | 'kind'>): RequestedKind {
  const slash = apiVersion.indexOf('/')
  return { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind }
}

/** The other ways to the same objects: resources that are kept under the same keys, and have the same subresource. */
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

/** The configuration of admission is never up to those whom it configures: otherwise nobody could ever get rid of them. */
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
