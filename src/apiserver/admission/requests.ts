import type { Pod } from '../../api/core/v1/pod.js'
import type { Draft } from '../../schema/infer.js'
import type { AdmissionRequest } from './admission.js'

/** Whether a request is about a resource, as a whole or through the subresource given. */
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

export function podOf({ object }: AdmissionRequest): Draft<Pod> {
  return object as Draft<Pod>
}

/** The pod as the kubelet that already runs it shows it to the API: nothing about it can be changed here. */
export function isMirrorPod({ metadata }: { readonly metadata: { readonly annotations?: object } }): boolean {
  return metadata.annotations !== undefined && 'kubernetes.io/config.mirror' in metadata.annotations
}
