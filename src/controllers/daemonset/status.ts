import type { DaemonSetStatus } from '../../api/apps/v1/daemon-set.js'
import { isReady } from '../pods/readiness.js'
import { isOfRevision } from './daemon-pod.js'
import { type DaemonLayout, isAvailableIn } from './layout.js'

/** Only the first pod of each node counts. */
export function daemonSetStatus(layout: DaemonLayout): DaemonSetStatus {
  const { set, nodes, hash } = layout
  const known = nodes.filter(({ node }) => node !== undefined)
  const wanted = known.filter(({ placement }) => placement.shouldRun)
  const pods = wanted.flatMap((each) => each.pods.slice(0, 1))
  const ready = pods.filter(isReady)
  const available = ready.filter((pod) => isAvailableIn(layout, pod)).length
  const { collisionCount, conditions } = set.status
  const misscheduled = known.filter((each) => !each.placement.shouldRun && each.pods.length > 0)
  return {
    currentNumberScheduled: pods.length,
    numberMisscheduled: misscheduled.length,
    desiredNumberScheduled: wanted.length,
    numberReady: ready.length,
    ...unlessZero({
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: pods.filter((pod) => isOfRevision(pod, hash)).length,
      numberAvailable: available,
      numberUnavailable: wanted.length - available,
    }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  }
}

/** Leaves out zeros as the API server does, so that the same status is not written again. */
function unlessZero(counts: Readonly<Record<string, number>>): Partial<DaemonSetStatus> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}
