import { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import { hasReason } from '../../api/errors.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { changedFinalizers, isConcerned, isWaiting } from './finalizer.js'

const finalizer = 'kubernetes.io/pv-protection'

/** Volumes that are bound stay until they are not. */
export function volumeProtection(): Controller {
  return controller('persistentvolume-protection')
    .watches(PersistentVolume, ({ object: { metadata } }) => (isConcerned(metadata, finalizer) ? [metadata.name!] : []))
    .workers(1)
    .reconcile(protect)
}

async function protect(name: string, { client, informers }: ReconcileContext): Promise<void> {
  const volume = informers.of(PersistentVolume).get(name)
  if (!volume || !isConcerned(volume.metadata, finalizer)) return
  if (isWaiting(volume.metadata, finalizer) && volume.status?.phase === 'Bound') return
  try {
    await client
      .resource(PersistentVolume)
      .update({ ...volume, metadata: changedFinalizers(volume.metadata, finalizer) })
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error
  }
}
