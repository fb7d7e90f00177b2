import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { memberOf } from '../../../../schema/json-value.js'
import type { ContainerStatus, ResourceStatus } from '../container/status.js'
import type { Container } from '../container.js'
import type { PodSpec } from './spec.js'
import type { PodStatus } from './status.js'

/** Validates the health of devices in the status of containers. Ephemeral containers have no devices. */
export function validateAllocatedResources(
  status: PodStatus,
  { containers, initContainers = [] }: PodSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  return [
    ...validateList(status.containerStatuses, containers, path.child('containerStatuses')),
    ...validateList(status.initContainerStatuses, initContainers, path.child('initContainerStatuses')),
    ...(status.ephemeralContainerStatuses ?? []).flatMap(({ allocatedResourcesStatus }, i) =>
      allocatedResourcesStatus?.length
        ? [
            field.forbidden(
              path.child('ephemeralContainerStatuses').index(i).child('allocatedResourcesStatus'),
              'must not be specified in container status',
            ),
          ]
        : [],
    ),
  ]
}

function validateList(
  statuses: readonly ContainerStatus[] = [],
  containers: readonly Container[],
  path: FieldPath,
): readonly field.FieldError[] {
  if (!statuses.some(({ allocatedResourcesStatus }) => allocatedResourcesStatus)) return field.none
  return statuses.flatMap(({ name, allocatedResourcesStatus = [] }, i) => {
    const container = containers?.find((one) => one.name === name)
    const at = path.index(i).child('allocatedResourcesStatus')
    return allocatedResourcesStatus.flatMap((resource, j) => [
      ...(container ? validateName(resource.name, container, at.index(j).child('name')) : []),
      ...validateHealth(resource, at.index(j).child('resources')),
    ])
  })
}

const noClaim =
  "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"

/** Devices of a claim are named after the claim; others after the resource. */
function validateName(name: string, { resources }: Container, path: FieldPath): readonly field.FieldError[] {
  if (!name.startsWith('claim:')) {
    if (memberOf(resources?.requests, name) !== undefined) return field.none
    return [field.invalid(path, name, "must match one of the container's resource requests")]
  }
  const isKnown = resources?.claims?.some(
    (claim) => name === `claim:${claim.name}${claim.request ? `/${claim.request}` : ''}`,
  )
  return isKnown ? field.none : [field.invalid(path, name, noClaim)]
}

const healths: readonly string[] = ['Healthy', 'Unhealthy', 'Unknown']

function validateHealth({ resources = [] }: ResourceStatus, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  const seen = new Set<string>()
  for (const [i, { health = '', resourceID }] of resources.entries()) {
    if (!healths.includes(health)) errors.push(field.notSupported(path.index(i).child('health'), health, healths))
    if (seen.has(resourceID)) errors.push(field.duplicate(path.index(i).child('resourceID'), resourceID))
    seen.add(resourceID)
  }
  return errors
}
