import { podConfigMapNames, podSecretNames } from '../../../api/core/v1/pod/references.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { isMirrorPod } from '../../admission/request.js'

/** Resources that a node needs because a pod of its refers to them, all in the namespace of the pod. */
export type ReferredResource =
  | 'secrets'
  | 'configmaps'
  | 'persistentvolumeclaims'
  | 'serviceaccounts'
  | 'resourceclaims'

export function referenceKey(resource: ReferredResource, namespace: string, name: string): string {
  return `${resource}/${namespace}/${name}`
}

/**
 * What the node of a pod must be able to read to run it. A mirror pod was made by the node itself, which must not give itself
 * access to anything by that.
 */
export function referencesOf(pod: Pod): ReadonlySet<string> {
  const keys = new Set<string>()
  if (isMirrorPod(pod)) return keys
  const { namespace = '' } = pod.metadata
  const refer = (resource: ReferredResource) => (name: string | undefined | null) => {
    if (name) keys.add(referenceKey(resource, namespace, name))
  }
  refer('serviceaccounts')(pod.spec.serviceAccountName)
  for (const name of podSecretNames(pod)) refer('secrets')(name)
  for (const name of podConfigMapNames(pod)) refer('configmaps')(name)
  for (const name of claimNames(pod)) refer('persistentvolumeclaims')(name)
  for (const name of resourceClaimNames(pod)) refer('resourceclaims')(name)
  return keys
}

/** The claim of an ephemeral volume is named after its pod and itself. */
function claimNames({ metadata, spec }: Pod): readonly (string | undefined)[] {
  return (spec.volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return persistentVolumeClaim.claimName
    return ephemeral ? `${metadata.name}-${name}` : undefined
  })
}

/** A claim made from a template has a name once it exists. */
function resourceClaimNames({ spec, status }: Pod): readonly (string | undefined)[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map((one) => [one.name, one.resourceClaimName]))
  const named = (spec.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name))
  return [...named, status?.extendedResourceClaimStatus?.resourceClaimName]
}
