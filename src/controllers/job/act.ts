import { isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job, type JobStatus } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { isSame } from '../../api/validation/immutability.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-writes.js'
import { isReady } from '../pods/readiness.js'
import { slowStart } from '../pods/slow-start.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ActResult, ReconcileContext } from '../runtime/reconcile.js'
import {
  type CountingDecision,
  endingEvents,
  type JobDecision,
  type JobObservation,
  type JobPodDecision,
  type PodChangeResult,
  type ReleaseResult,
  suspensionEvents,
  type TrackingDecision,
} from './decide.js'
import type { FailureHistory } from './failure-history.js'
import { jobPod } from './job-pod.js'
import type { JobState } from './job-state.js'
import type { PodSlot } from './pod-plan.js'
import { podCounts } from './status.js'
import { isTracked, trackingFinalizer } from './tracked-pods.js'

export function actorOf(history: FailureHistory) {
  return async (
    decision: JobDecision,
    observation: JobObservation,
    context: ReconcileContext,
  ): Promise<ActResult<JobObservation>> => {
    const { state } = observation
    switch (decision.do) {
      case 'change pods':
        return {
          observation: { stage: 'tracking', state, decision, result: await changePods(decision, state, context) },
        }
      case 'list and release pods':
        return { observation: await listAndRelease(decision, state, { history, context }) }
      case 'count pods':
        return countPods(decision, observation as JobObservation & { readonly stage: 'counting' }, context)
    }
  }
}

/** Pods that are only too many are released first: they count neither as succeeded nor as failed. Pods of a job that ends stay tracked. */
function changePods(
  { ending, plan: { remove, add } }: JobPodDecision,
  state: JobState,
  context: ReconcileContext,
): Promise<PodChangeResult> {
  if (add.length > 0) return createPods(add, state, context)
  return deletePods(remove, state, async (pod) => {
    if (!ending) await releasePod(pod, context)
    await deletePod(pod, state.job, context)
  })
}

async function deletePods(
  pods: readonly Pod[],
  state: JobState,
  remove: (pod: Pod) => Promise<void>,
): Promise<PodChangeResult> {
  const { active, ready, terminating } = podCounts(state)
  const results = await Promise.allSettled(pods.map(remove))
  const deleted = pods.filter((_, i) => results[i]!.status === 'fulfilled')
  return {
    active: active - deleted.length,
    ready: ready - deleted.filter(isReady).length,
    terminating: terminating + deleted.length,
    ...firstError(results),
  }
}

async function createPods(
  slots: readonly PodSlot[],
  state: JobState,
  context: ReconcileContext,
): Promise<PodChangeResult> {
  const before = podCounts(state)
  let created = 0
  const create = async (index: number) => {
    await createPod(jobPod(state.job, slots[index]!), state.job, context)
    created++
  }
  try {
    await slowStart(slots.length, create)
    return { ...before, active: before.active + created }
  } catch (error) {
    const counts = { ...before, active: before.active + created }
    return isNamespaceTerminating(error) ? counts : { ...counts, error }
  }
}

async function listAndRelease(
  decision: TrackingDecision,
  state: JobState,
  { history, context }: { readonly history: FailureHistory; readonly context: ReconcileContext },
): Promise<JobObservation> {
  const job = await updateStatus(state.job, decision.tracking.status, context)
  // Neither earlier nor later: a pod that the status lists is never new again.
  history.remember(state.job, state.failures)
  for (const event of suspensionEvents(state.job, job)) context.events.record({ about: job, ...event })
  const released = await releasePods(decision.tracking.release, context)
  return { stage: 'counting', state, decision, job, released }
}

async function countPods(
  { status, ending, error, requeueAfter }: CountingDecision,
  { job }: JobObservation & { readonly stage: 'counting' },
  context: ReconcileContext,
): Promise<ActResult<JobObservation>> {
  const updated = await updateStatus(job, status, context)
  if (ending && isFinished(updated))
    for (const event of endingEvents(updated, ending)) context.events.record({ about: updated, ...event })
  if (error !== undefined) throw error
  return requeueAfter === undefined ? {} : { requeueAfter }
}

/** Writes the status if it changed. Returns the job as it is then. */
async function updateStatus(job: Job, status: JobStatus, { client }: ReconcileContext): Promise<Job> {
  if (isSame(status, job.status)) return job
  return client
    .resource(Job)
    .subresource('status')
    .update({ ...job, status })
}

async function releasePods(pods: readonly Pod[], context: ReconcileContext): Promise<ReleaseResult> {
  const results = await Promise.allSettled(pods.map((pod) => releasePod(pod, context)))
  return { pods: pods.filter((_, i) => results[i]!.status === 'fulfilled'), ...firstError(results) }
}

/** Removes the finalizer. A pod that is gone has none. */
export async function releasePod(pod: Pod, { client }: Pick<ReconcileContext, 'client'>): Promise<void> {
  if (!isTracked(pod)) return
  const { namespace, name, uid } = pod.metadata
  const metadata = { uid, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] }
  await unlessNotFound(client.resource(Pod).in(namespace!).patch(name!, 'strategic', { metadata }))
}

function firstError(results: readonly PromiseSettledResult<unknown>[]): { readonly error?: unknown } {
  const failed = results.find((result) => result.status === 'rejected')
  return failed ? { error: failed.reason } : {}
}
