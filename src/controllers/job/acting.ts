import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { createPod, deletePod, isNamespaceTerminating } from '../pods/pod-writes.js'
import { isReady, isTerminating } from '../pods/readiness.js'
import { slowStart } from '../pods/slow-start.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import type { Plan } from './plan.js'
import { podOfJob } from './pod-of-job.js'
import type { Situation } from './situation.js'
import type { PodCounts } from './status.js'
import { isTracked, trackingFinalizer } from './tracked-pods.js'

/** What came of it. What failed does not keep the rest from being told in the status. */
export interface Done extends PodCounts {
  readonly error?: unknown
}

export function untouched({ active, pods }: Situation): Done {
  return {
    active: active.length,
    ready: active.filter(isReady).length,
    terminating: pods.filter(isTerminating).length,
  }
}

/** The job ends: what runs is asked to go, and stays tracked until it is counted. */
export function endActive(situation: Situation, context: ReconcileContext): Promise<Done> {
  return removed(situation.active, situation, (pod) => deletePod(pod, situation.job, context))
}

export async function carryOut({ remove, add }: Plan, situation: Situation, context: ReconcileContext): Promise<Done> {
  if (add.length > 0) return added(add, situation, context)
  return removed(remove, situation, async (pod) => {
    // It did nothing wrong: without its finalizer it counts neither as a success nor as a failure.
    await releasePod(pod, context)
    await deletePod(pod, situation.job, context)
  })
}

async function removed(pods: readonly Pod[], situation: Situation, remove: (pod: Pod) => Promise<void>): Promise<Done> {
  const { active, ready, terminating } = untouched(situation)
  const results = await Promise.allSettled(pods.map(remove))
  const gone = pods.filter((_, i) => results[i]!.status === 'fulfilled')
  return {
    active: active - gone.length,
    ready: ready - gone.filter(isReady).length,
    terminating: terminating + gone.length,
    ...failureAmong(results),
  }
}

async function added(places: Plan['add'], situation: Situation, context: ReconcileContext): Promise<Done> {
  const before = untouched(situation)
  let made = 0
  const make = async (place: number) => {
    await createPod(podOfJob(situation.job, places[place]!), situation.job, context)
    made++
  }
  try {
    await slowStart(places.length, make)
    return { ...before, active: before.active + made }
  } catch (error) {
    const done = { ...before, active: before.active + made }
    return isNamespaceTerminating(error) ? done : { ...done, error }
  }
}

export interface Released {
  /** Those that have no finalizer any more. */
  readonly pods: readonly Pod[]
  readonly error?: unknown
}

export async function releasePods(pods: readonly Pod[], context: ReconcileContext): Promise<Released> {
  const results = await Promise.allSettled(pods.map((pod) => releasePod(pod, context)))
  return { pods: pods.filter((_, i) => results[i]!.status === 'fulfilled'), ...failureAmong(results) }
}

/** Removes the finalizer. A pod that is gone has none. */
export async function releasePod(pod: Pod, { client }: Pick<ReconcileContext, 'client'>): Promise<void> {
  if (!isTracked(pod)) return
  const { namespace, name, uid } = pod.metadata
  const metadata = { uid, '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] }
  try {
    await client.resource(Pod).in(namespace!).patch(name!, 'strategic', { metadata })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

function failureAmong(results: readonly PromiseSettledResult<unknown>[]): { readonly error?: unknown } {
  const failed = results.find((result) => result.status === 'rejected')
  return failed ? { error: failed.reason } : {}
}
