import { isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { claim } from '../pods/claiming.js'
import { ownedPods } from '../pods/owned-objects.js'
import { compiledSelector } from '../pods/selectors.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { carryOut, endActive, untouched } from './acting.js'
import type { Memory } from './memory.js'
import { type Plan, planFor } from './plan.js'
import { record } from './recording.js'
import { assess, type Situation } from './situation.js'
import { declaring, jobStatus, suspendedOrResumed } from './status.js'
import { trackingFinalizer } from './tracked-pods.js'
import { track } from './tracking.js'
import { completion, remainingTime, verdictOn } from './verdict.js'

const ourName = 'kubernetes.io/job-controller'

/** Whether somebody else has taken it upon them to run it. */
export function isManagedElsewhere({ spec }: Job): boolean {
  return spec.managedBy !== undefined && spec.managedBy !== ourName
}

export async function reconcileJob(
  key: string,
  context: ReconcileContext,
  memory: Memory,
): Promise<ReconcileResult | undefined> {
  const job = context.informers.of(Job).get(key)
  if (!job || isFinished(job)) memory.forget(key)
  if (!job || isFinished(job) || isManagedElsewhere(job)) return undefined
  const pods = await claimPods(job, context)
  const before = { failures: memory.failuresOf(job, pods), now: context.environment.clock.now() }
  return moveOn(assess(job, pods, before), context, memory)
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

async function moveOn(situation: Situation, context: ReconcileContext, memory: Memory): Promise<ReconcileResult> {
  const { job, now } = situation
  const verdict = verdictOn(situation)
  const plan = verdict || job.metadata.deletionTimestamp !== undefined ? undefined : planFor(situation)
  const done = verdict
    ? await endActive(situation, context)
    : plan
      ? await carryOut(plan, situation, context)
      : untouched(situation)
  // While something runs that could not be asked to go, nothing is over.
  const standing = verdict ? (done.error === undefined ? verdict : undefined) : completion(situation, done.active)
  const status = jobStatus(situation, done)
  const declared = standing ? declaring(status, standing, now) : plan ? suspendedOrResumed(job, status, now) : status
  await record({ situation, tracking: track(situation, declared, standing), verdict: standing, memory }, context)
  if (done.error !== undefined) throw done.error
  return nextLook(situation, plan)
}

function nextLook(situation: Situation, plan: Plan | undefined): ReconcileResult {
  const waits = [plan?.after, remainingTime(situation)].filter((wait) => wait !== undefined && wait > 0)
  return waits.length > 0 ? { requeueAfter: Math.min(...(waits as number[])) } : {}
}
