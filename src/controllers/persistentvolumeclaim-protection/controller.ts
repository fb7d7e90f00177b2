import { PersistentVolumeClaim } from '../../api/core/v1/persistent-volume-claim.js'
import { Pod } from '../../api/core/v1/pod.js'
import { type Change, keyOf, type SharedInformers } from '../../client/informers/informer.js'
import { defineController, recordEvents } from '../definition.js'
import { decide, needsReconcile } from '../persistentvolume-protection/decide.js'
import { unlessNotFound } from '../runtime/failures.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { claimNamesOfPod, usesClaim } from './pod-claims.js'

const finalizer = 'kubernetes.io/pvc-protection'
const byClaim = 'claim'

/** Keeps persistent volume claims from being deleted while pods use them. */
export const definition = defineController({
  name: 'persistentvolumeclaim-protection-controller',
  alias: 'pvc-protection',
  serviceAccount: 'pvc-protection-controller',
  rules: [
    'get list update watch on persistentvolumeclaims of core',
    'update on persistentvolumeclaims/status of core',
    'get list watch on pods of core',
    recordEvents,
  ],
  create: (controller) =>
    controller
      .watches(PersistentVolumeClaim, ({ object }) =>
        needsReconcile(object.metadata, finalizer) ? [keyOf(object)] : [],
      )
      .watches(Pod, claimsOfPod)
      .reconcile({
        async observe(key, context) {
          const claim = context.informers.of(PersistentVolumeClaim).get(key)
          if (!claim || !needsReconcile(claim.metadata, finalizer)) return undefined
          const isInUse = claim.metadata.deletionTimestamp !== undefined && (await isUsed(claim, context))
          return { claim, metadata: claim.metadata, finalizer, isInUse }
        },
        decide,
        async act(metadata, { claim }, { client }) {
          await unlessNotFound(client.resource(PersistentVolumeClaim).update({ ...claim, metadata }))
        },
      }),
})

/** A pod releases its claims when it ends, or before it is bound. */
function* claimsOfPod({ type, object, old }: Change<Pod>, informers: SharedInformers): Iterable<string> {
  const isReplaced = old !== undefined && old.metadata.uid !== object.metadata.uid
  if (type === 'updated' && old && !isReplaced && !mayRelease(object)) return
  for (const pod of isReplaced ? [object, old] : [object])
    for (const name of claimNamesOfPod(pod)) {
      const key = `${pod.metadata.namespace}/${name}`
      const claim = informers.of(PersistentVolumeClaim).get(key)
      if (claim && needsReconcile(claim.metadata, finalizer)) yield key
    }
}

function mayRelease({ metadata, spec }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined || !spec.nodeName
}

/** Asks the server before a claim goes: the informer may not have seen a new pod yet. */
async function isUsed(claim: PersistentVolumeClaim, { client, informers }: ReconcileContext): Promise<boolean> {
  const pods = informers.of(Pod)
  pods.addIndex(byClaim, (pod) => [...claimNamesOfPod(pod)].map((name) => `${pod.metadata.namespace}/${name}`))
  for (const pod of pods.by(byClaim, keyOf(claim))) if (usesClaim(pod, claim)) return true
  const { items } = await client.resource(Pod).in(claim.metadata.namespace!).list()
  return items.some((pod) => usesClaim(pod, claim))
}
