import { isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { claim } from '../pods/claiming.js'
import { ownedPods } from '../pods/owned-objects.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { JobObservation } from './decide.js'
import type { FailureHistory } from './failure-history.js'
import { jobState } from './job-state.js'
import { trackingFinalizer } from './tracked-pods.js'

const controllerName = 'kubernetes.io/job-controller'

/** Whether `managedBy` names another controller. */
export function isManagedElsewhere({ spec }: Job): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== controllerName
}

/** Also adopts orphaned pods that the selector selects, and releases those that it no longer selects. */
export function observerOf(history: FailureHistory) {
  return async (key: string, context: ReconcileContext): Promise<JobObservation | undefined> => {
    const job = context.informers.of(Job).get(key)
    if (!job || isFinished(job)) history.forget(key)
    if (!job || isFinished(job) || isManagedElsewhere(job)) return undefined
    const pods = await claimPods(job, context)
    const before = { failures: history.failuresOf(job, pods), now: context.environment.clock.now() }
    return { stage: 'pods', state: jobState(job, pods, before) }
  }
}

function claimPods(job: Job, { client, informers }: ReconcileContext): Promise<readonly Pod[]> {
  const selector = compiledSelector(job.spec.selector)
  return claim(ownedPods(informers).claimable(job), {
    kind: Pod,
    owner: job,
    ownerKind: Job,
    matches: ({ metadata }) => selector.matches(metadata.labels ?? {}),
    client,
    finalizers: [trackingFinalizer],
  })
}
