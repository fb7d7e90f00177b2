import type { Pod } from '../../api/core/v1/pod.js'
import { isAvailable, isReady } from '../pods/readiness.js'
import { isOfRevision } from './daemon-pod.js'
import type { Layout, Site } from './layout.js'
import { allowsSurge } from './limits.js'

/** What has to be done so that each node has the pod that it should have. */
export interface Actions {
  /** Nodes on which a pod is to be made. */
  readonly create: readonly string[]
  readonly remove: readonly Pod[]
}

export interface Decision extends Actions {
  /** Those of `remove` that have ended though they should not have. */
  readonly ended: readonly Ended[]
  /** Milliseconds after which further pods that have failed may be removed. */
  readonly after?: number
}

export interface Ended {
  readonly pod: Pod
  readonly nodeName: string
}

/** @param heldBack how many milliseconds a pod that has failed on a node stays, so that one that fails at once is not made at once. */
export function decide(layout: Layout, heldBack: (nodeName: string) => number): Decision {
  const create: string[] = []
  const remove: Pod[] = []
  const ended: Ended[] = []
  let after = Number.POSITIVE_INFINITY
  for (const site of layout.sites) {
    const { nodeName, placement, pods } = site
    if (!site.node) remove.push(...pods.filter(({ spec }) => !spec.nodeName).filter(isWanted))
    else if (placement.shouldRun && pods.length === 0) create.push(nodeName)
    else if (!placement.mayStay) remove.push(...pods.filter(isWanted))
    else {
      const wait = heldBack(nodeName)
      const lost = pods.filter(isWanted).filter((pod) => isOver(pod, wait))
      if (wait > 0 && pods.some(({ status }) => status.phase === 'Failed')) after = Math.min(after, wait)
      ended.push(...lost.map((pod) => ({ pod, nodeName })))
      remove.push(...lost, ...doubles(site, layout))
    }
  }
  return { create, remove, ended, ...(Number.isFinite(after) && { after }) }
}

/** Nobody has asked for it to go. */
function isWanted({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp === undefined
}

function isOver({ status }: Pod, heldBack: number): boolean {
  return status.phase === 'Succeeded' || (status.phase === 'Failed' && heldBack === 0)
}

/** One pod is enough; while one is being updated without a gap, an old and a new one are. */
function doubles({ pods }: Site, layout: Layout): readonly Pod[] {
  const running = pods.filter(
    (pod) => isWanted(pod) && pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed',
  )
  if (running.length < 2) return []
  if (!allowsSurge(layout.set)) return running.slice(1)
  const isNew = (pod: Pod) => isOfRevision(pod, layout.hash)
  const newest = running.find(isNew)
  const oldest = running.find((pod) => !isNew(pod))
  const isDone = newest && oldest && (!isReady(oldest) || isAvailableIn(layout, newest))
  return running.filter((pod) => (pod !== newest && pod !== oldest) || (pod === oldest && isDone))
}

export function isAvailableIn({ set, now }: Layout, pod: Pod): boolean {
  return isAvailable(pod, set.spec.minReadySeconds ?? 0, now)
}
