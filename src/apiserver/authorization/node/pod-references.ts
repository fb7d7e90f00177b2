import { podConfigMapNames, podSecretNames } from '../../../api/core/v1/pod/references.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { hasMirrorAnnotation } from '../../admission/request.js'

/** Resources in the namespace of a pod that the pod can refer to. */
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
 * Returns the objects that a node must read to run a pod. A mirror pod has none: its node creates it, and must not get access by that.
 */
export function referencesOf(pod: Pod): ReadonlySet<string> {
  const keys = new Set<string>()
  if (hasMirrorAnnotation(pod)) return keys
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

/** The claim of an ephemeral volume is named after the pod and the volume. */
function claimNames({ metadata, spec }: Pod): readonly (string | undefined)[] {
  return (spec.volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim) return persistentVolumeClaim.claimName
    return ephemeral ? `${metadata.name}-${name}` : undefined
  })
}

/** The name of a claim from a template is in the status. */
function resourceClaimNames({ spec, status }: Pod): readonly (string | undefined)[] {
  const made = new Map((status?.resourceClaimStatuses ?? []).map((one) => [one.name, one.resourceClaimName]))
  const named = (spec.resourceClaims ?? []).map(({ name, resourceClaimName }) => resourceClaimName ?? made.get(name))
  return [...named, status?.extendedResourceClaimStatus?.resourceClaimName]
}
