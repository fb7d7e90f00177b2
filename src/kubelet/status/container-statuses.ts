/** Computes the statuses of all containers of a pod. */

import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import { compareText } from '../../schema/text-order.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import { newest } from '../runtime/observed-pod.js'
import { shouldStart } from '../sync/restart-policy.js'
import { type ContainerStatusContext, containerStatus } from './container-status.js'
import type { PodStatusInput } from './pod-status-input.js'
import { withReadiness } from './readiness.js'
import { isRestartingAllContainers } from './restart-all.js'

export interface ContainerStatuses {
  readonly initContainerStatuses: readonly ContainerStatus[]
  readonly containerStatuses: readonly ContainerStatus[]
  readonly ephemeralContainerStatuses: readonly ContainerStatus[]
}

/** Init containers keep their order, all others are sorted by name. */
export function containerStatuses(input: PodStatusInput): ContainerStatuses {
  const { pod, previous, observed } = input
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec
  const build = statusBuilder(input)
  const isInitialized = containers.some(({ name }) => newest(observed, name) !== undefined)
  return {
    initContainerStatuses: build(initContainers, previous.initContainerStatuses)
      .map((status, i) => startedStatus(inferred(status, initContainers[i]!, isInitialized), initContainers[i]!, input))
      .map((status, i) => withReadiness(status, initContainers[i]!, { input, isInit: true })),
    containerStatuses: build(containers, previous.containerStatuses)
      .map((status, i) => startedStatus(status, containers[i]!, input))
      .map((status, i) => withReadiness(status, containers[i]!, { input, isInit: false }))
      .sort(byName),
    ephemeralContainerStatuses: build(ephemeralContainers, previous.ephemeralContainerStatuses)
      .map((status, i) => startedStatus(status, ephemeralContainers[i]!, input))
      .sort(byName),
  }
}

function byName(left: ContainerStatus, right: ContainerStatus): number {
  return compareText(left.name, right.name)
}

function statusBuilder(input: PodStatusInput) {
  const context = circumstancesOf(input)
  const byContainer = new Map<string, ObservedContainer[]>()
  for (const observed of input.observed.containers) {
    const known = byContainer.get(observed.name)
    if (known) known.push(observed)
    else byContainer.set(observed.name, [observed])
  }
  return (containers: readonly Container[], before: readonly ContainerStatus[] = []) =>
    containers.map((container) => {
      const previous = before.find(({ name }) => name === container.name)
      return containerStatus(container, byContainer.get(container.name) ?? [], { previous, context: context })
    })
}

/** Maximum bytes of all termination messages of a pod. */
const mostMessageBytes = 12 * 1024

function circumstancesOf(input: PodStatusInput): ContainerStatusContext {
  const { pod, runtimeName, mountsRecursivelyReadOnly = false } = input
  const { initContainers = [], containers } = pod.spec
  return {
    runtimeName,
    unstarted: initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating',
    isDeleted: pod.metadata.deletionTimestamp !== undefined,
    isRestartingAll: isRestartingAllContainers(input),
    mountsRecursivelyReadOnly,
    longestMessage: Math.floor(mostMessageBytes / Math.max(1, containers.length + initContainers.length)),
  }
}

const unseen =
  'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally'

/** Marks a missing init container as completed if a main container was created after it. */
function inferred(status: ContainerStatus, container: Container, isInitialized: boolean): ContainerStatus {
  if (status.containerID || !isInitialized || isSidecar(container) || !status.state?.waiting) return status
  return { ...status, state: { terminated: { exitCode: 0, reason: 'Completed', message: unseen } } }
}

/** Shows the error of the last start attempt as waiting reason, if the container must still be started. */
function startedStatus(status: ContainerStatus, container: Container, input: PodStatusInput): ContainerStatus {
  const { pod, observed, waiting } = input
  const why = waiting.get(container.name)
  if (!why || isDone(status, container, input) || !shouldStart(pod, container, newest(observed, container.name)))
    return status
  return {
    ...status,
    ...(status.state?.terminated && { lastState: { terminated: status.state.terminated } }),
    state: { waiting: { reason: why.reason, ...(why.message && { message: why.message }) } },
  }
}

/** A completed init container does not restart, whatever its policy. */
function isDone({ state }: ContainerStatus, { name }: Container, { pod }: PodStatusInput): boolean {
  return state?.terminated?.exitCode === 0 && (pod.spec.initContainers ?? []).some((one) => one.name === name)
}
