import { qualified } from '../../api/failure.js'
import { builtin } from '../../api/scheme.js'

/**
 * Resources that the API server stores, but that no component of a Proa cluster acts on yet, with the reason as a clause. Remove a line when
 * you add the missing component. `proa apiserver` alone gives no such warnings, because its components may be upstream's.
 */
export const unfinishedResources: Readonly<Record<string, string>> = {
  'statefulsets.apps': 'no controller creates its pods',
  'cronjobs.batch': 'no controller creates its jobs',
  'horizontalpodautoscalers.autoscaling': 'no controller changes the number of replicas',

  persistentvolumes: 'no controller binds claims to it',
  persistentvolumeclaims: 'no controller binds it to a volume, and no kubelet mounts it',
  'storageclasses.storage.k8s.io': 'no controller creates volumes of this class',
  'csidrivers.storage.k8s.io': 'no kubelet calls CSI drivers',
  'csistoragecapacities.storage.k8s.io': 'the scheduler does not read it',

  'deviceclasses.resource.k8s.io': 'the scheduler allocates no devices',
  'resourceclaims.resource.k8s.io': 'the scheduler allocates no devices',
  'resourceclaimtemplates.resource.k8s.io': 'no controller creates claims from it',
  'resourceslices.resource.k8s.io': 'the scheduler allocates no devices',

  'networkpolicies.networking.k8s.io': 'traffic is not restricted',

  'customresourcedefinitions.apiextensions.k8s.io': 'the API server does not serve its custom resources',
  'apiservices.apiregistration.k8s.io': 'the API server forwards no requests to it',
  'validatingadmissionpolicies.admissionregistration.k8s.io': 'requests are not validated by it',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io': 'requests are not validated by its policy',
  'mutatingadmissionpolicies.admissionregistration.k8s.io': 'requests are not changed by it',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io': 'requests are not changed by its policy',
}

/** Returns the warnings for clients that create such objects, by resource. */
export function unfinishedWarnings(): Readonly<Record<string, string>> {
  const kinds = new Map(builtin.resources.map(({ kind }) => [nameOf(kind), kind.kind]))
  return Object.fromEntries(
    Object.entries(unfinishedResources).map(([resource, missing]) => [
      resource,
      `Proa stores this ${kinds.get(resource)}, but does not act on it yet: ${missing}`,
    ]),
  )
}

function nameOf({ group, resource }: { readonly group: string; readonly resource: { readonly plural: string } }) {
  return qualified({ group, resource: resource.plural })
}
