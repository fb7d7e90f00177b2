import { Job } from '../../api/batch/v1/job.js'
import { hasReason } from '../../api/errors.js'
import { parsedKey } from '../../client/informers/informer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext, ReconcileResult } from '../runtime/reconcile.js'
import { remainingLife } from './remaining-life.js'

/** Removes jobs, and their pods with them, some time after they have finished. */
export function ttlAfterFinishedController(): Controller {
  return controller('ttl-after-finished').for(Job).workers(5).reconcile(removeWhenDue)
}

async function removeWhenDue(
  key: string,
  { client, informers, environment }: ReconcileContext,
): Promise<ReconcileResult | undefined> {
  const known = informers.of(Job).get(key)
  const wait = known && remainingLife(known, environment.clock.now())
  if (wait === undefined) return undefined
  if (wait > 0) return { requeueAfter: wait }
  const { namespace, name } = parsedKey(key)
  const jobs = client.resource(Job).in(namespace)
  try {
    // The server is asked itself: somebody may have granted the job a longer life a moment ago.
    const job = await jobs.get(name)
    const left = remainingLife(job, environment.clock.now())
    if (left === undefined) return undefined
    if (left > 0) return { requeueAfter: left }
    await jobs.delete(name, { propagationPolicy: 'Foreground', preconditions: { uid: job.metadata.uid! } })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
  return undefined
}
