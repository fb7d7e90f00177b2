import { isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { Client } from '../../client/client.js'
import { keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { ownedPods } from '../pods/owned-objects.js'
import { controller } from '../runtime/builder.js'
import { controllerOf } from '../runtime/owners.js'
import type { Controller, ReconcileContext } from '../runtime/reconcile.js'
import { releasePod } from './acting.js'
import { isManagedElsewhere } from './reconcile.js'
import { isTracked } from './tracked-pods.js'

/** Pods whose job is gone or finished, though they were never counted: nobody waits for them, so that they may go. */
export const orphanedPods: Controller = controller('job-orphaned-pods')
  .watches(Pod, ({ type, object }, informers) =>
    type !== 'deleted' && isTracked(object) && mayBeOrphaned(object, informers) ? [keyOf(object)] : [],
  )
  .watches(Job, function* ({ type, object }, informers) {
    if (type !== 'deleted' && !isFinished(object)) return
    for (const pod of ownedPods(informers).of(object)) if (isTracked(pod)) yield keyOf(pod)
  })
  .reconcile(async (key, context) => {
    const pod = context.informers.of(Pod).get(key)
    if (pod && isTracked(pod) && (await isOrphaned(pod, context))) await releasePod(pod, context)
  })

function mayBeOrphaned(pod: Pod, informers: SharedInformers): boolean {
  const owner = controllerOf(pod)
  if (!owner) return true
  if (!isJob(owner)) return false // whoever it is knows what it wants
  return isNobodys(informers.of(Job).get(`${pod.metadata.namespace}/${owner.name}`), owner)
}

/** Asks the server itself about a job that the informer does not know: it may be so new that only its pods were seen yet. */
async function isOrphaned(pod: Pod, { informers, client }: ReconcileContext): Promise<boolean> {
  if (!mayBeOrphaned(pod, informers)) return false
  const owner = controllerOf(pod)
  return !owner || isNobodys(await jobOf(owner, pod.metadata.namespace!, client), owner)
}

async function jobOf({ name }: OwnerReference, namespace: string, client: Client): Promise<Job | undefined> {
  try {
    return await client.resource(Job).in(namespace).get(name)
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined
    throw error
  }
}

function isJob({ apiVersion, kind }: OwnerReference): boolean {
  return kind === 'Job' && apiVersion === 'batch/v1'
}

function isNobodys(job: Job | undefined, { uid }: OwnerReference): boolean {
  if (job?.metadata.uid !== uid) return true
  return isFinished(job) && !isManagedElsewhere(job)
}
