import { visitContainers } from '../../api/core/v1/pod/containers.js'
import { podSecretNames } from '../../api/core/v1/pod/references.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { FieldPath } from '../../schema/field-path.js'

/**
 * Returns the first kind of API object that a pod refers to, or undefined. A static pod must run without the API server, and a user who can
 * write manifests must not gain access to secrets.
 */
export function apiReference(pod: Pod): string | undefined {
  const { spec } = pod
  const volumes = spec.volumes ?? []
  const projections = volumes.flatMap(({ projected }) => projected?.sources ?? [])
  if (spec.serviceAccountName) return 'serviceaccounts'
  if (podSecretNames(pod).size > 0) return 'secrets'
  if (refersToConfigMap(spec)) return 'configmaps'
  if (spec.resourceClaims?.length) return 'resourceclaims'
  if (volumes.some(({ persistentVolumeClaim, ephemeral }) => persistentVolumeClaim ?? ephemeral))
    return 'persistentvolumeclaims'
  if (projections.some(({ serviceAccountToken }) => serviceAccountToken)) return 'serviceaccounts'
  if (projections.some(({ clusterTrustBundle }) => clusterTrustBundle)) return 'clustertrustbundles'
  return projections.some(({ podCertificate }) => podCertificate) ? 'podcertificates' : undefined
}

function refersToConfigMap(spec: PodSpec): boolean {
  let refers = (spec.volumes ?? []).some(
    ({ configMap, projected }) => configMap ?? projected?.sources?.some((source) => source.configMap),
  )
  visitContainers(spec, FieldPath.none, ({ env = [], envFrom = [] }) => {
    refers ||= env.some(({ valueFrom }) => valueFrom?.configMapKeyRef)
    refers ||= envFrom.some(({ configMapRef }) => configMapRef)
  })
  return refers
}
