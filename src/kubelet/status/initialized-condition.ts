import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import { type About, type Finding, listed } from './ready-conditions.js'

/** All init containers have done what the others wait for. Once one of those has started, it stays so, though a sidecar starts again. */
export function initializedCondition({ spec, statuses, phase }: About): Finding {
  const { initContainers = [], containers } = spec
  const statusOf = ({ name }: Container) => statuses.find((status) => status.name === name)
  const unknown = initContainers.filter((container) => !statusOf(container))
  if (phase === 'Succeeded' && unknown.length === 0) return { status: 'True', reason: 'PodCompleted' }
  if (containers.some((container) => hasBegun(statusOf(container)))) return { status: 'True' }
  const incomplete = initContainers.filter((container) => isIncomplete(container, statusOf(container)))
  const message = [listed('unknown', unknown), listed('incomplete', incomplete)].filter(Boolean).join(', ')
  return message ? { status: 'False', reason: 'ContainersNotInitialized', message } : { status: 'True' }
}

function hasBegun(status: ContainerStatus | undefined): boolean {
  return status?.state?.running !== undefined || status?.state?.terminated !== undefined
}

function isIncomplete(container: Container, status: ContainerStatus | undefined): boolean {
  if (!status) return false
  return isSidecar(container) ? !status.started : !status.ready
}
