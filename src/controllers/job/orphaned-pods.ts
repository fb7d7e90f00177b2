import { Job } from '../../api/batch/v1/job.js'
import { isFinished } from '../../api/batch/v1/job-conditions.js'
import { Pod } from '../../api/core/v1/pod.js'
import { keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { ownedPods } from '../pods/owned-objects.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import { controllerOf } from '../runtime/owners.js'
import { releasePod } from './acting.js'
import { isManagedElsewhere } from './reconcile.js'
import { isTracked } from './tracked-pods.js'

/** Pods whose job is gone or finished, though they were never counted: nobody waits for them, so that they may go. */
export const orphanedPods: Controller = controller('job-orphaned-pods')
  .watches(Pod, ({ type, object }, informers) =>
    type !== 'deleted' && isOrphaned(object, informers) ? [keyOf(object)] : [],
  )
  .watches(Job, function* ({ type, object }, informers) {
    if (type !== 'deleted' && !isFinished(object)) return
    for (const pod of ownedPods(informers).of(object)) if (isTracked(pod)) yield keyOf(pod)
  })
  .reconcile(async (key, world) => {
    const pod = world.informers.of(Pod).get(key)
    if (pod && isOrphaned(pod, world.informers)) await releasePod(pod, world)
  })

function isOrphaned(pod: Pod, informers: SharedInformers): boolean {
  if (!isTracked(pod)) return false
  const owner = controllerOf(pod)
  if (!owner) return true
  if (owner.kind !== 'Job' || owner.apiVersion !== 'batch/v1') return false // whoever it is knows what it wants
  const job = informers.of(Job).get(`${pod.metadata.namespace}/${owner.name}`)
  if (job?.metadata.uid !== owner.uid) return true
  return isFinished(job) && !isManagedElsewhere(job)
}
