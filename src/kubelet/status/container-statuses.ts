/** What is told of all containers of a pod. */

import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Container } from '../../api/core/v1/container.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import { compareText } from '../../schema/text-order.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import { newest } from '../runtime/observed-pod.js'
import { shouldStart } from '../sync/restart-rules.js'
import { type ContainerCircumstances, containerStatus } from './container-status.js'
import { withReadiness } from './readiness.js'
import { restartsAll } from './restart-all.js'
import type { Situation } from './situation.js'

export interface ContainerStatuses {
  readonly initContainerStatuses: readonly ContainerStatus[]
  readonly containerStatuses: readonly ContainerStatus[]
  readonly ephemeralContainerStatuses: readonly ContainerStatus[]
}

/** Init containers stand in their order, all others in that of their names. */
export function containerStatuses(situation: Situation): ContainerStatuses {
  const { pod, previous, observed } = situation
  const { initContainers = [], containers, ephemeralContainers = [] } = pod.spec
  const told = teller(situation)
  const isInitialized = containers.some(({ name }) => newest(observed, name) !== undefined)
  return {
    initContainerStatuses: told(initContainers, previous.initContainerStatuses)
      .map((status, i) =>
        startedStatus(inferred(status, initContainers[i]!, isInitialized), initContainers[i]!, situation),
      )
      .map((status, i) => withReadiness(status, initContainers[i]!, { situation, isInit: true })),
    containerStatuses: told(containers, previous.containerStatuses)
      .map((status, i) => startedStatus(status, containers[i]!, situation))
      .map((status, i) => withReadiness(status, containers[i]!, { situation, isInit: false }))
      .sort(byName),
    ephemeralContainerStatuses: told(ephemeralContainers, previous.ephemeralContainerStatuses)
      .map((status, i) => startedStatus(status, ephemeralContainers[i]!, situation))
      .sort(byName),
  }
}

function byName(left: ContainerStatus, right: ContainerStatus): number {
  return compareText(left.name, right.name)
}

function teller(situation: Situation) {
  const circumstances = circumstancesOf(situation)
  const byContainer = new Map<string, ObservedContainer[]>()
  for (const observed of situation.observed.containers) {
    const known = byContainer.get(observed.name)
    if (known) known.push(observed)
    else byContainer.set(observed.name, [observed])
  }
  return (containers: readonly Container[], before: readonly ContainerStatus[] = []) =>
    containers.map((container) => {
      const previous = before.find(({ name }) => name === container.name)
      return containerStatus(container, byContainer.get(container.name) ?? [], { previous, circumstances })
    })
}

/** All termination messages of a pod together. */
const mostMessageBytes = 12 * 1024

function circumstancesOf(situation: Situation): ContainerCircumstances {
  const { pod, runtimeName, mountsRecursivelyReadOnly = false } = situation
  const { initContainers = [], containers } = pod.spec
  return {
    runtimeName,
    unstarted: initContainers.length > 0 ? 'PodInitializing' : 'ContainerCreating',
    isDeleted: pod.metadata.deletionTimestamp !== undefined,
    isRestartingAll: restartsAll(situation),
    mountsRecursivelyReadOnly,
    longestMessage: Math.floor(mostMessageBytes / Math.max(1, containers.length + initContainers.length)),
  }
}

const unseen =
  'Unable to get init container status from container runtime and pod has been initialized, treat it as exited normally'

/** An init container that nobody knows any more must have ended well, if an ordinary one was made after it. */
function inferred(status: ContainerStatus, container: Container, isInitialized: boolean): ContainerStatus {
  if (status.containerID || !isInitialized || isSidecar(container) || !status.state?.waiting) return status
  return { ...status, state: { terminated: { exitCode: 0, reason: 'Completed', message: unseen } } }
}

/** A container that is to be started, and could not be, waits: for the reason why it could not be. */
function startedStatus(status: ContainerStatus, container: Container, situation: Situation): ContainerStatus {
  const { pod, observed, waiting } = situation
  const why = waiting.get(container.name)
  if (!why || isDone(status, container, situation) || !shouldStart(pod, container, newest(observed, container.name)))
    return status
  return {
    ...status,
    ...(status.state?.terminated && { lastState: { terminated: status.state.terminated } }),
    state: { waiting: { reason: why.reason, ...(why.message && { message: why.message }) } },
  }
}

/** An init container that has ended well is not started again, whatever its policy. */
function isDone({ state }: ContainerStatus, { name }: Container, { pod }: Situation): boolean {
  return state?.terminated?.exitCode === 0 && (pod.spec.initContainers ?? []).some((one) => one.name === name)
}
