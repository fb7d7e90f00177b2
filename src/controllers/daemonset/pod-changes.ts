import type { Pod } from '../../api/core/v1/pod.js'
import { isReady } from '../pods/readiness.js'
import { isOfRevision } from './daemon-pod.js'
import { type DaemonLayout, type DaemonNode, isAvailableIn } from './layout.js'
import { allowsSurge } from './limits.js'

/** The pods to create and to delete. */
export interface PodActions {
  /** The nodes that get a pod. */
  readonly create: readonly string[]
  readonly remove: readonly Pod[]
}

export interface PodChanges extends PodActions {
  /** Those of `remove` that have ended. */
  readonly ended: readonly EndedPod[]
  /** Milliseconds until further failed pods may be deleted. */
  readonly after?: number
}

export interface EndedPod {
  readonly pod: Pod
  readonly nodeName: string
}

/** Gives each node the pod that it should have. `failureDelays`: milliseconds until a failed pod may be deleted, by node. */
export function podChanges(layout: DaemonLayout, failureDelays: ReadonlyMap<string, number>): PodChanges {
  const create: string[] = []
  const remove: Pod[] = []
  const ended: EndedPod[] = []
  let after = Number.POSITIVE_INFINITY
  for (const daemonNode of layout.nodes) {
    const { nodeName, placement, pods } = daemonNode
    if (!daemonNode.node) remove.push(...pods.filter(({ spec }) => !spec.nodeName).filter(isNotDeleted))
    else if (placement.shouldRun && pods.length === 0) create.push(nodeName)
    else if (!placement.mayStay) remove.push(...pods.filter(isNotDeleted))
    else {
      const wait = failureDelays.get(nodeName) ?? 0
      const endedHere = pods.filter(isNotDeleted).filter((pod) => mayReplace(pod, wait))
      if (wait > 0 && pods.some(({ status }) => status.phase === 'Failed')) after = Math.min(after, wait)
      ended.push(...endedHere.map((pod) => ({ pod, nodeName })))
      remove.push(...endedHere, ...duplicates(daemonNode, layout))
    }
  }
  return { create, remove, ended, ...(Number.isFinite(after) && { after }) }
}

function isNotDeleted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined
}

function mayReplace({ status }: Pod, delay: number): boolean {
  return status.phase === 'Succeeded' || (status.phase === 'Failed' && delay === 0)
}

/** The pods beyond the first one. During an update with surge, a node may have an old and a new pod. */
function duplicates({ pods }: DaemonNode, layout: DaemonLayout): readonly Pod[] {
  const running = pods.filter(
    (pod) => isNotDeleted(pod) && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed',
  )
  if (running.length < 2) return []
  if (!allowsSurge(layout.set)) return running.slice(1)
  const isNew = (pod: Pod) => isOfRevision(pod, layout.hash)
  const newest = running.find(isNew)
  const oldest = running.find((pod) => !isNew(pod))
  const isDone = newest && oldest && (!isReady(oldest) || isAvailableIn(layout, newest))
  return running.filter((pod) => (pod !== newest && pod !== oldest) || (pod === oldest && isDone))
}
