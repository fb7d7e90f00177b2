import { Job } from '../../api/batch/v1/job.js'
import { keyOf, parseKey } from '../../client/informers/informer.js'
import { parseTime } from '../../schema/values/time.js'
import { defineController, recordEvents } from '../definition.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'

/** Deletes jobs, and their pods with them, some time after they have finished. */
export const definition = defineController({
  name: 'ttl-after-finished-controller',
  alias: 'ttl-after-finished',
  serviceAccount: 'ttl-after-finished-controller',
  rules: ['delete get list watch on jobs of batch', recordEvents],
  create: (controller) => controller.for(Job).workers(5).reconcile({ observe, decide, act }),
})

interface Observation {
  readonly job: Job
  readonly now: number
}

interface Decision {
  /** Milliseconds until the job is to be deleted; 0: now. */
  readonly deleteAfter: number
}

async function observe(key: string, { informers, environment }: ReconcileContext): Promise<Observation | undefined> {
  const job = informers.of(Job).get(key)
  return job && { job, now: environment.clock.now() }
}

/** Undefined if the job stays, or is already being deleted. */
export function decide({ job: { metadata, spec, status }, now }: Observation): Decision | undefined {
  const { ttlSecondsAfterFinished } = spec
  if (ttlSecondsAfterFinished === undefined || metadata.deletionTimestamp !== undefined) return undefined
  const end = status.conditions?.find(
    (condition) => (condition.type === 'Complete' || condition.type === 'Failed') && condition.status === 'True',
  )
  if (end?.lastTransitionTime === undefined) return undefined
  return { deleteAfter: Math.max(0, parseTime(end.lastTransitionTime) + ttlSecondsAfterFinished * 1000 - now) }
}

async function act(
  { deleteAfter }: Decision,
  { job: known }: Observation,
  { client, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  if (deleteAfter > 0) return { requeueAfter: deleteAfter }
  const { namespace, name } = parseKey(keyOf(known))
  const jobs = client.resource(Job).in(namespace)
  // The informer may be behind: a client may have granted the job a longer life a moment ago.
  const job = await unlessNotFound(jobs.get(name))
  const decision = job && decide({ job, now: environment.clock.now() })
  if (!decision) return undefined
  if (decision.deleteAfter > 0) return { requeueAfter: decision.deleteAfter }
  const options = { propagationPolicy: 'Foreground', preconditions: { uid: job.metadata.uid! } } as const
  await unlessNotFound(jobs.delete(name, options))
  return undefined
}
