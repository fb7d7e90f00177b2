import { isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podContainers } from '../pods/pod-containers.js'
import { newest, type ObservedContainer, type ObservedPod } from '../runtime/observed-pod.js'
import { decideInitContainers } from './decide-init.js'
import { decideMainContainers } from './decide-main.js'
import { noActions, type PodObservation, type PodSyncActions } from './pod-actions.js'
import { canRestart, triggersRestartAll } from './restart-policy.js'

/** Decides what to do so that the pod becomes what its specification says. A pure function of the observation. */
export function decide(observation: PodObservation): PodSyncActions {
  const resets = decideResets(observation)
  if (resets.length > 0) return { ...noActions, resets }
  const change = sandboxChange(observation.pod, observation.observed)
  if (change) return decideNewSandbox(observation, change)
  return withLeftOvers(observation, decideContainers(observation))
}

function decideContainers(observation: PodObservation): PodSyncActions {
  const init = decideInitContainers(observation)
  if (init.killsPod) return { ...noActions, killsPod: true }
  const ephemeral = podContainers(observation.pod).filter(
    ({ type, container }) => type === 'ephemeral' && isUnstarted(newest(observation.observed, container.name)),
  )
  if (!init.isInitialized) return { ...noActions, kills: init.kills, starts: [...ephemeral, ...init.starts] }
  const main = decideMainContainers(observation)
  // No container is left that the sidecars serve.
  if (main.keeps === 0 && main.starts.length === 0) return { ...noActions, killsPod: true }
  return { ...noActions, kills: [...init.kills, ...main.kills], starts: [...ephemeral, ...init.starts, ...main.starts] }
}

/** Restarts the pod in a new sandbox, init containers included. */
function decideNewSandbox(
  observation: PodObservation,
  { attempt, hadOne }: { attempt: number; hadOne: boolean },
): PodSyncActions {
  const { pod, observed } = observation
  const ends: PodSyncActions = { ...noActions, killsPod: true, isSandboxChanged: hadOne }
  if (!canRestart(pod) && attempt !== 0 && observed.containers.length > 0) return ends
  const all = podContainers(pod)
  const main = all.filter(({ type, container }) => {
    const last = newest(observed, container.name)
    return type === 'container' && !(last?.state === 'exited' && !isRestartedAfter(container, pod.spec, last.exitCode))
  })
  const wasInitialized = all.some(
    ({ type, container }) =>
      type === 'container' && (newest(observed, container.name)?.state ?? 'unknown') !== 'unknown',
  )
  if (main.length === 0 && wasInitialized) return ends
  const init = all.filter(({ type }) => type === 'init')
  const ofInit = observed.containers.filter(({ name }) => init.some(({ container }) => container.name === name))
  return { ...ends, sandboxAttempt: attempt, removals: ofInit, starts: init.length > 0 ? init.slice(0, 1) : main }
}

/**
 * Returns the containers to reset if one exited with the action `RestartAllContainers`. That one is removed last, because it tells a
 * restarted kubelet to continue. Ephemeral containers are stopped but kept, because they never restart.
 */
function decideResets({ pod, observed }: PodObservation): readonly ObservedContainer[] {
  if (pod.metadata.deletionTimestamp !== undefined) return []
  const all = podContainers(pod).filter(({ type }) => type !== 'ephemeral')
  const causes = all.filter(({ container }) => triggersRestartAll(container, newest(observed, container.name)))
  if (causes.length === 0) return []
  const victims = all.filter((one) => !causes.includes(one))
  const inOrder = [
    ...victims.filter(({ type }) => type === 'container'),
    ...victims.filter(({ type }) => type === 'init').toReversed(),
    ...causes,
  ]
  const ephemeral = observed.containers.filter(
    ({ name, state }) => state === 'running' && !all.some(({ container }) => container.name === name),
  )
  return [
    ...ephemeral,
    ...inOrder.flatMap(({ container }) => observed.containers.filter(({ name }) => name === container.name)),
  ]
}

/** Recreates containers that were created but never started: the kubelet that created them is gone. */
function withLeftOvers({ observed }: PodObservation, actions: PodSyncActions): PodSyncActions {
  const removals = actions.starts.flatMap(({ container }) =>
    observed.containers.filter(({ name, state }) => name === container.name && state === 'created'),
  )
  return { ...actions, removals }
}

function isUnstarted(last: ObservedContainer | undefined): boolean {
  return !last || last.state === 'created'
}

interface SandboxChange {
  /** Number of the new sandbox. It is unique in the pod. */
  readonly attempt: number
  readonly hadOne: boolean
}

/**
 * Returns a change if the pod needs a new sandbox: it has none, a dead one, several, one without an address, or one on the wrong network.
 */
function sandboxChange({ spec }: Pod, { sandboxes }: ObservedPod): SandboxChange | undefined {
  const [last] = sandboxes
  if (!last) return { attempt: 0, hadOne: false }
  const attempt = Math.max(...sandboxes.map((sandbox) => sandbox.attempt)) + 1
  const isOnHostNetwork = spec?.hostNetwork ?? false
  if (last.state !== 'ready' || sandboxes.filter(({ state }) => state === 'ready').length > 1)
    return { attempt, hadOne: true }
  if (last.hasHostNetwork !== isOnHostNetwork) return { attempt, hadOne: true }
  return isOnHostNetwork || last.addresses.length > 0 ? undefined : { attempt, hadOne: true }
}
