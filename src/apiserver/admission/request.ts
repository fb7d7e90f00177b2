import type { Pod } from '../../api/core/v1/pod.js'
import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { AdmissionRequest, Operation } from './admission.js'

/** The resource and object that a request addresses. A `VerbScope` is one. */
export interface AdmissionTarget {
  readonly resource: ServedResource
  readonly subresource: string
  readonly namespace: string
  /** `''` if the path names no object. */
  readonly name: string
  readonly context: RequestContext
}

/** One operation on the target of a request. */
export interface AdmissionOperation {
  readonly operation: Operation
  /** The object to be stored, or the object that the client sends to a subresource. */
  readonly object?: Draft<KubeObject>
  /** The stored object. */
  readonly old?: KubeObject
  readonly options: object
  readonly dryRun: boolean
}

/** Builds the request that admission plugins and webhooks see. No other function of the server builds an `AdmissionRequest`. */
export function admissionRequest(
  { resource, subresource, namespace, name, context }: AdmissionTarget,
  { operation, object, old, options, dryRun }: AdmissionOperation,
): AdmissionRequest {
  return {
    operation,
    resource,
    subresource,
    namespace,
    name: name || (object?.metadata.name ?? ''),
    object,
    old,
    user: context.user,
    dryRun,
    options,
    warn: (message) => void context.warnings.add(message),
    alsoWrite: () => undefined,
    context,
  }
}

/** Whether a request is a CREATE or an UPDATE. */
export function isWrite({ operation }: AdmissionRequest): boolean {
  return operation === 'CREATE' || operation === 'UPDATE'
}

/** Whether a request addresses a resource: the object itself, or the subresource given. */
export function isFor(request: AdmissionRequest, group: string, resource: string, subresource = ''): boolean {
  const { groupResource } = request.resource
  return groupResource.resource === resource && groupResource.group === group && request.subresource === subresource
}

export function isPod(request: AdmissionRequest, subresource = ''): boolean {
  return isFor(request, '', 'pods', subresource)
}

export function isNewPod(request: AdmissionRequest): boolean {
  return request.operation === 'CREATE' && isPod(request)
}

/** Returns the pod to be stored, on CREATE and UPDATE. */
export function podOf({ object }: AdmissionRequest): Draft<Pod> {
  return object as Draft<Pod>
}

/** Whether a pod only mirrors a static pod of a kubelet. The API server cannot change what such a kubelet runs. */
export function hasMirrorAnnotation({ metadata }: { readonly metadata: { readonly annotations?: object } }): boolean {
  return metadata.annotations !== undefined && 'kubernetes.io/config.mirror' in metadata.annotations
}
