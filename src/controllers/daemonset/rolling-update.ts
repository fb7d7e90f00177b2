import type { Pod } from '../../api/core/v1/pod.js'
import { isOfRevision } from './daemon-pod.js'
import { type DaemonLayout, type DaemonNode, isAvailableIn } from './layout.js'
import { type UpdateLimits, updateLimits } from './limits.js'
import type { PodActions } from './pod-changes.js'

/** The next step of a rolling update. Pods that are being deleted are ignored, so that it continues while nodes are down. */
export function rollingUpdateStep(layout: DaemonLayout): PodActions {
  const desired = layout.nodes.filter(({ placement }) => placement.shouldRun).length
  const limits = updateLimits(layout.set, desired)
  const occupied = layout.nodes.filter(({ placement, pods }) => placement.shouldRun || pods.length > 0)
  return limits.surge === 0
    ? stepWithGaps(layout, occupied, limits)
    : stepWithSurge(layout, occupied, { limits, desired })
}

/** Deletes old pods; the next reconcile creates new ones on their nodes. */
function stepWithGaps(layout: DaemonLayout, nodes: readonly DaemonNode[], { unavailable }: UpdateLimits): PodActions {
  const replaceable: Pod[] = []
  const candidates: Pod[] = []
  let gaps = 0
  for (const node of nodes) {
    const { newPod, oldPod, isClear } = podsOf(node, layout.hash)
    const only = newPod && oldPod ? undefined : (newPod ?? oldPod)
    const isUp = isClear && only !== undefined && isAvailableIn(layout, only)
    if (!isUp) gaps++
    if (!isClear || !oldPod || newPod) continue
    if (isUp) candidates.push(oldPod)
    else replaceable.push(oldPod) // it is not available anyway
  }
  return { create: [], remove: [...replaceable, ...candidates.slice(0, Math.max(0, unavailable - gaps))] }
}

/** Creates new pods beside old ones, and deletes those when the new ones are available. */
function stepWithSurge(
  layout: DaemonLayout,
  nodes: readonly DaemonNode[],
  { limits, desired }: { readonly limits: UpdateLimits; readonly desired: number },
): PodActions {
  const stages = nodes.map((node) => ({ node, ...podsOf(node, layout.hash), stage: stageOf(node, layout) }))
  const at = (wanted: Stage) => stages.filter(({ stage }) => stage === wanted)
  const available = stages.filter(({ isClear, oldPod, newPod }) => {
    const first = oldPod ?? newPod
    return isClear && first !== undefined && isAvailableIn(layout, first)
  })
  // A surge is meant to avoid gaps: a misplaced pod is deleted when enough others are available.
  const spare = Math.max(0, available.length - desired)
  const room = Math.max(0, limits.surge - at('surging').length)
  const remove = [...at('replaced'), ...at('misplaced').slice(0, spare)]
  const create = [...at('down'), ...at('old').slice(0, room)]
  return { create: create.map(({ node }) => node.nodeName), remove: remove.map(({ oldPod }) => oldPod!) }
}

/**
 * How far the update of a node is. It has an `old` pod, which may be `down`. It is `surging` while its new pod is not available; then the old
 * pod is `replaced`. A pod that should not be there is `misplaced`. A node that is `settled` needs nothing.
 */
type Stage = 'settled' | 'surging' | 'replaced' | 'down' | 'old' | 'misplaced'

function stageOf(node: DaemonNode, layout: DaemonLayout): Stage {
  const { newPod, oldPod, isClear } = podsOf(node, layout.hash)
  if (!isClear) return 'surging'
  if (!oldPod || !node.node) return 'settled'
  if (newPod) return isAvailableIn(layout, newPod) ? 'replaced' : 'surging'
  const isUp = isAvailableIn(layout, oldPod)
  if (!node.placement.shouldRun) return isUp ? 'misplaced' : 'replaced'
  return isUp ? 'old' : 'down'
}

interface OldAndNew {
  readonly newPod?: Pod | undefined
  readonly oldPod?: Pod | undefined
  /** Whether there is at most one of each; otherwise duplicates are deleted first. */
  readonly isClear: boolean
}

function podsOf({ pods }: DaemonNode, hash: string): OldAndNew {
  const there = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const newPods = there.filter((pod) => isOfRevision(pod, hash))
  const oldPods = there.filter((pod) => !isOfRevision(pod, hash))
  return { newPod: newPods[0], oldPod: oldPods[0], isClear: newPods.length < 2 && oldPods.length < 2 }
}
