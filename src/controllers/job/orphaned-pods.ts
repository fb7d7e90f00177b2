import { isFinished } from '../../api/batch/v1/job/conditions.js'
import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { ownedPods } from '../pods/owned-objects.js'
import { controller } from '../runtime/builder.js'
import { unlessNotFound } from '../runtime/failures.js'
import { controllerOf } from '../runtime/owners.js'
import type { Controller, ReconcileContext } from '../runtime/reconcile.js'
import { releasePod } from './act.js'
import { isManagedElsewhere } from './observe.js'
import { isTracked } from './tracked-pods.js'

/** Releases pods whose job is gone or finished: no job will count them. */
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
  if (!isJob(owner)) return false // another controller manages it
  return isUncounted(informers.of(Job).get(`${pod.metadata.namespace}/${owner.name}`), owner)
}

/** Requests a job that the informer does not show: it may be so new that only its pods are visible. */
async function isOrphaned(pod: Pod, { informers, client }: ReconcileContext): Promise<boolean> {
  if (!mayBeOrphaned(pod, informers)) return false
  const owner = controllerOf(pod)
  return (
    !owner || isUncounted(await unlessNotFound(client.resource(Job).in(pod.metadata.namespace!).get(owner.name)), owner)
  )
}

function isJob({ apiVersion, kind }: OwnerReference): boolean {
  return kind === 'Job' && apiVersion === 'batch/v1'
}

function isUncounted(job: Job | undefined, { uid }: OwnerReference): boolean {
  if (job?.metadata.uid !== uid) return true
  return isFinished(job) && !isManagedElsewhere(job)
}
