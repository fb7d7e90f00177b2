import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import type { PodStatus } from '../../api/core/v1/pod/status.js'
import type { PodStatusInput } from './pod-status-input.js'

/**
 * Sets `started` and `ready` from the results of probes. An init container is ready when it has completed. The previous status counts until
 * a probe has a result, so that a restarted kubelet makes no container unready.
 */
export function withReadiness(
  status: ContainerStatus,
  container: Container,
  { input, isInit }: { readonly input: PodStatusInput; readonly isInit: boolean },
): ContainerStatus {
  if (isInit && !isSidecar(container)) return { ...status, ready: hasEndedWell(status), started: isRunning(status) }
  const started = isRunning(status) && hasStarted(status, container, input)
  return { ...status, started, ready: started && isReady(status, container, input) }
}

function isRunning({ state }: ContainerStatus): boolean {
  return state?.running !== undefined
}

function hasEndedWell({ state }: ContainerStatus): boolean {
  return state?.terminated?.exitCode === 0
}

function hasStarted(
  status: ContainerStatus,
  { startupProbe }: Container,
  { probes, previous }: PodStatusInput,
): boolean {
  if (!startupProbe) return true
  return probes.startup(runtimeId(status)) ?? previousStatus(status, previous)?.started ?? false
}

function isReady(
  status: ContainerStatus,
  { readinessProbe }: Container,
  { probes, previous }: PodStatusInput,
): boolean {
  if (!readinessProbe) return true
  return probes.readiness(runtimeId(status)) ?? previousStatus(status, previous)?.ready ?? false
}

/** Returns the container id without the runtime's name. */
function runtimeId({ containerID = '' }: ContainerStatus): string {
  return containerID.slice(containerID.indexOf('://') + 3)
}

function previousStatus({ containerID }: ContainerStatus, previous: PodStatus): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = previous
  return [...containerStatuses, ...initContainerStatuses].find((one) => one.containerID === containerID)
}
