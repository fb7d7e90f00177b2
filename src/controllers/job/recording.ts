import { isConditionTrue, isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job, type JobStatus } from '../../api/batch/v1/job.js'
import { isSame } from '../../api/validation/immutability.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { releasePods } from './acting.js'
import type { Memory } from './memory.js'
import type { Situation } from './situation.js'
import { ended } from './status.js'
import { isTracked } from './tracked-pods.js'
import { counted, type Tracking, uidsOf } from './tracking.js'
import type { Verdict } from './verdict.js'

export interface Account {
  readonly situation: Situation
  readonly tracking: Tracking
  /** If it stands that the job ends. */
  readonly verdict: Verdict | undefined
  readonly memory: Memory
}

/** Writes down what has ended, lets it go, and counts what has gone: in this order, which `tracking.ts` explains. */
export async function record(
  { situation, tracking, verdict, memory }: Account,
  context: ReconcileContext,
): Promise<void> {
  const { job, pods, now, failures } = situation
  const listed = await writeStatus(job, tracking.status, context)
  memory.remember(job, failures) // neither earlier nor later: what is listed is never seen as new again
  tellOfSuspension(job, listed, context)
  const released = await releasePods(tracking.release, context)
  const tracked = new Set(uidsOf(pods.filter(isTracked)))
  for (const uid of uidsOf(released.pods)) tracked.delete(uid)
  const settled = counted(listed.status, tracked)
  const isOver = verdict && !tracking.isPartial && released.error === undefined
  const written = await writeStatus(listed, (isOver && ended(settled, verdict, now)) || settled, context)
  if (verdict && isFinished(written)) tellOfEnd(written, verdict, context)
  if (released.error !== undefined) throw released.error
}

/** Only if it says something new. Gives the job as it is then. */
async function writeStatus(job: Job, status: JobStatus, { client }: ReconcileContext): Promise<Job> {
  if (isSame(status, job.status)) return job
  return client
    .resource(Job)
    .subresource('status')
    .update({ ...job, status })
}

function tellOfSuspension(before: Job, job: Job, { events }: ReconcileContext): void {
  const isSuspended = isConditionTrue(job, 'Suspended')
  if (isSuspended === isConditionTrue(before, 'Suspended')) return
  const [reason, message] = isSuspended ? ['Suspended', 'Job suspended'] : ['Resumed', 'Job resumed']
  events.record({ about: job, type: 'Normal', reason: reason!, message: message! })
}

function tellOfEnd(job: Job, { endsAs, reason, message }: Verdict, { events }: ReconcileContext): void {
  if (endsAs === 'Failed') {
    events.record({ about: job, type: 'Warning', reason, message })
    return
  }
  if ((job.status.succeeded ?? 0) > (job.spec.completions ?? Number.POSITIVE_INFINITY)) {
    const tooMany = 'Too many succeeded pods running after completion count reached'
    events.record({ about: job, type: 'Warning', reason: 'TooManySucceededPods', message: tooMany })
  }
  events.record({ about: job, type: 'Normal', reason: 'Completed', message: 'Job completed' })
}
