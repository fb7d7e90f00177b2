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
  .reconcile({ observe, decide, act: ({ release }, _observation, context) => releasePod(release, context) })

function mayBeOrphaned(pod: Pod, informers: SharedInformers): boolean {
  const owner = controllerOf(pod)
  if (!owner) return true
  if (!isJob(owner)) return false // another controller manages it
  return isUncounted(informers.of(Job).get(`${pod.metadata.namespace}/${owner.name}`), owner)
}

interface PodObservation {
  readonly pod: Pod
  /** The job that the pod's owner reference names; undefined if there is none. */
  readonly job: Job | undefined
}

/** Reads the job from the server: it may be so new that the informer shows only its pods. */
async function observe(key: string, { informers, client }: ReconcileContext): Promise<PodObservation | undefined> {
  const pod = informers.of(Pod).get(key)
  if (!pod || !isTracked(pod) || !mayBeOrphaned(pod, informers)) return undefined
  const owner = controllerOf(pod)
  const job = owner && (await unlessNotFound(client.resource(Job).in(pod.metadata.namespace!).get(owner.name)))
  return { pod, job }
}

export function decide({ pod, job }: PodObservation): { readonly release: Pod } | undefined {
  const owner = controllerOf(pod)
  return !owner || isUncounted(job, owner) ? { release: pod } : undefined
}

function isJob({ apiVersion, kind }: OwnerReference): boolean {
  return kind === 'Job' && apiVersion === 'batch/v1'
}

function isUncounted(job: Job | undefined, { uid }: OwnerReference): boolean {
  if (job?.metadata.uid !== uid) return true
  return isFinished(job) && !isManagedElsewhere(job)
}
