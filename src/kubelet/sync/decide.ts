import { isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { podContainers } from '../pods/pod-containers.js'
import { newest, type ObservedContainer, type ObservedPod } from '../runtime/observed-pod.js'
import { decideInitContainers } from './decide-init.js'
import { decideMainContainers } from './decide-main.js'
import { noActions, type PodActions, type PodObservation } from './pod-actions.js'
import { canRestart, triggersRestartAll } from './restart-policy.js'

/** What has to be done so that the pod is as it is wanted. Looks at nothing else, and does nothing. */
export function decide(observation: PodObservation): PodActions {
  const resets = decideResets(observation)
  if (resets.length > 0) return { ...noActions, resets }
  const change = sandboxChange(observation.pod, observation.observed)
  if (change) return decideNewSandbox(observation, change)
  return withLeftOvers(observation, decideContainers(observation))
}

function decideContainers(observation: PodObservation): PodActions {
  const init = decideInitContainers(observation)
  if (init.killsPod) return { ...noActions, killsPod: true }
  const ephemeral = podContainers(observation.pod).filter(
    ({ type, container }) => type === 'ephemeral' && isUnstarted(newest(observation.observed, container.name)),
  )
  if (!init.isInitialized) return { ...noActions, kills: init.kills, starts: [...ephemeral, ...init.starts] }
  const main = decideMainContainers(observation)
  // Nothing is left that the sidecars could be of use to.
  if (main.keeps === 0 && main.starts.length === 0) return { ...noActions, killsPod: true }
  return { ...noActions, kills: [...init.kills, ...main.kills], starts: [...ephemeral, ...init.starts, ...main.starts] }
}

/** Everything begins anew, init containers included. */
function decideNewSandbox(
  observation: PodObservation,
  { attempt, hadOne }: { attempt: number; hadOne: boolean },
): PodActions {
  const { pod, observed } = observation
  const ends: PodActions = { ...noActions, killsPod: true, isSandboxChanged: hadOne }
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
 * One of the containers ended in a way after which all begin anew. It goes last: should the kubelet die on the way, it is what tells the
 * next one. Ephemeral containers end, and stay, because they are never started again.
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

/** One that was made and never started is made again: whoever was to start it is not there any more. */
function withLeftOvers({ observed }: PodObservation, actions: PodActions): PodActions {
  const removals = actions.starts.flatMap(({ container }) =>
    observed.containers.filter(({ name, state }) => name === container.name && state === 'created'),
  )
  return { ...actions, removals }
}

function isUnstarted(last: ObservedContainer | undefined): boolean {
  return !last || last.state === 'created'
}

interface SandboxChange {
  /** The number of the one to make: no two of a pod have the same. */
  readonly attempt: number
  readonly hadOne: boolean
}

/** Whether the pod needs a sandbox that it does not have: none, a dead one, several, one without an address, one on the wrong network. */
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
