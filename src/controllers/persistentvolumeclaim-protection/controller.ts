import { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../../api/core/v1/pod.js'
import { hasReason } from '../../api/errors.js'
import { type Change, keyOf, parsedKey, type SharedInformers } from '../../client/informers/informer.js'
import { changedFinalizers, isConcerned, isWaiting } from '../persistentvolume-protection/finalizer.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { claimNames, uses } from './pod-claims.js'

const finalizer = 'kubernetes.io/pvc-protection'
const byClaim = 'claim'

/** Claims that pods use stay until they do not. */
export function claimProtection(): Controller {
  return controller('persistentvolumeclaim-protection')
    .watches(PersistentVolumeClaim, ({ object }) => (isConcerned(object.metadata, finalizer) ? [keyOf(object)] : []))
    .watches(Pod, claimsOf)
    .reconcile(protect)
}

/** Only a pod that ends, or was never on a node, lets go of a claim; only claims that wait are worth a look. */
function* claimsOf({ type, object, old }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  if (type === 'updated' && !lets(object) && old?.metadata.uid === object.metadata.uid) return
  for (const pod of old && old.metadata.uid !== object.metadata.uid ? [object, old] : [object])
    for (const name of claimNames(pod)) {
      const key = `${pod.metadata.namespace}/${name}`
      const claim = informers.of(PersistentVolumeClaim).get(key)
      if (claim && isConcerned(claim.metadata, finalizer)) yield key
    }
}

function lets({ metadata, spec }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined || !spec.nodeName
}

async function protect(key: string, { client, informers }: ReconcileContext): Promise<void> {
  const claim = informers.of(PersistentVolumeClaim).get(key)
  if (!claim || !isConcerned(claim.metadata, finalizer)) return
  if (isWaiting(claim.metadata, finalizer) && (await isUsed(claim, { client, informers }))) return
  const metadata = changedFinalizers(claim.metadata, finalizer)
  try {
    await client.resource(PersistentVolumeClaim).update({ ...claim, metadata })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}

/** The informer may not have heard of a pod yet: before a claim goes, the server itself is asked. */
async function isUsed(
  claim: PersistentVolumeClaim,
  { client, informers }: Pick<ReconcileContext, 'client' | 'informers'>,
): Promise<boolean> {
  const pods = informers.of(Pod)
  pods.addIndex(byClaim, (pod) => [...claimNames(pod)].map((name) => `${pod.metadata.namespace}/${name}`))
  for (const pod of pods.by(byClaim, keyOf(claim))) if (uses(pod, claim)) return true
  const { namespace } = parsedKey(keyOf(claim))
  const { items } = await client.resource(Pod).in(namespace).list()
  return items.some((pod) => uses(pod, claim))
}
