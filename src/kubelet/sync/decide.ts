import { isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import { containersOf } from '../pods/pod-containers.js'
import { newest, type ObservedContainer } from '../runtime/observed-pod.js'
import { type Actions, nothing } from './actions.js'
import { decideInit } from './decide-init.js'
import { decideMain } from './decide-main.js'
import type { Look } from './look.js'
import { canRestart, restartsAll } from './restart-rules.js'
import { sandboxChange } from './sandbox-change.js'

/** What has to be done so that the pod is as it is wanted. Looks at nothing else, and does nothing. */
export function decide(look: Look): Actions {
  const resets = decideResets(look)
  if (resets.length > 0) return { ...nothing, resets }
  const change = sandboxChange(look.pod, look.observed)
  if (change) return decideNewSandbox(look, change)
  return withLeftOvers(look, decideContainers(look))
}

function decideContainers(look: Look): Actions {
  const init = decideInit(look)
  if (init.killsPod) return { ...nothing, killsPod: true }
  const ephemeral = containersOf(look.pod).filter(
    ({ type, container }) => type === 'ephemeral' && isUnstarted(newest(look.observed, container.name)),
  )
  if (!init.isInitialized) return { ...nothing, kills: init.kills, starts: [...ephemeral, ...init.starts] }
  const main = decideMain(look)
  // Nothing is left that the sidecars could be of use to.
  if (main.keeps === 0 && main.starts.length === 0) return { ...nothing, killsPod: true }
  return { ...nothing, kills: [...init.kills, ...main.kills], starts: [...ephemeral, ...init.starts, ...main.starts] }
}

/** Everything begins anew, init containers included. */
function decideNewSandbox(look: Look, { attempt, hadOne }: { attempt: number; hadOne: boolean }): Actions {
  const { pod, observed } = look
  const ends: Actions = { ...nothing, killsPod: true, isSandboxChanged: hadOne }
  if (!canRestart(pod) && attempt !== 0 && observed.containers.length > 0) return ends
  const all = containersOf(pod)
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
function decideResets({ pod, observed }: Look): readonly ObservedContainer[] {
  if (pod.metadata.deletionTimestamp !== undefined) return []
  const all = containersOf(pod).filter(({ type }) => type !== 'ephemeral')
  const causes = all.filter(({ container }) => restartsAll(container, newest(observed, container.name)))
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
function withLeftOvers({ observed }: Look, actions: Actions): Actions {
  const removals = actions.starts.flatMap(({ container }) =>
    observed.containers.filter(({ name, state }) => name === container.name && state === 'created'),
  )
  return { ...actions, removals }
}

function isUnstarted(last: ObservedContainer | undefined): boolean {
  return !last || last.state === 'created'
}
