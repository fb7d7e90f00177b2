import type { KubeObject } from '../../api/kube-object.js'
import type { Draft } from '../../schema/infer.js'
import type { ServedResource } from '../registry/served-resource.js'
import type { RequestContext } from '../request/request-context.js'
import type { AdmissionRequest, Operation } from './admission.js'

/** Where a request points to. A `VerbScope` is one. */
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
  /** The object to be stored, or the object that a subresource was sent. */
  readonly object?: Draft<KubeObject>
  /** The stored object. */
  readonly old?: KubeObject
  readonly options: object
  readonly dryRun: boolean
}

/** Builds what admission plugins and webhooks see of a request. No other function builds an `AdmissionRequest`. */
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
