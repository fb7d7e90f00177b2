import type { DaemonSetStatus } from '../../api/apps/v1/daemon-set.js'
import { isReady } from '../pods/readiness.js'
import { isOfRevision } from './daemon-pod.js'
import { isAvailableIn } from './decide.js'
import type { Layout } from './layout.js'

/** What there is of what there should be. Of each node the pod that counts first is looked at. */
export function daemonSetStatus(layout: Layout): DaemonSetStatus {
  const { set, sites, hash } = layout
  const known = sites.filter(({ node }) => node !== undefined)
  const wanted = known.filter(({ placement }) => placement.shouldRun)
  const pods = wanted.flatMap((site) => site.pods.slice(0, 1))
  const ready = pods.filter(isReady)
  const available = ready.filter((pod) => isAvailableIn(layout, pod)).length
  const { collisionCount, conditions } = set.status
  const misscheduled = known.filter((site) => !site.placement.shouldRun && site.pods.length > 0)
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

/** As the server writes it, so that a status that says nothing new is seen to be the same. */
function unlessZero(counts: Readonly<Record<string, number>>): Partial<DaemonSetStatus> {
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))
}
