import { PersistentVolume } from '../../api/core/v1/persistent-volume.js'
import { defineController, recordEvents } from '../definition.js'
import { unlessNotFound } from '../runtime/failures.js'
import { decide, needsReconcile } from './decide.js'

const finalizer = 'kubernetes.io/pv-protection'

/** Keeps persistent volumes from being deleted while they are bound. */
export const definition = defineController({
  name: 'persistentvolume-protection-controller',
  alias: 'pv-protection',
  serviceAccount: 'pv-protection-controller',
  rules: ['get list update watch on persistentvolumes of core', recordEvents],
  create: (controller) =>
    controller
      .watches(PersistentVolume, ({ object: { metadata } }) =>
        needsReconcile(metadata, finalizer) ? [metadata.name!] : [],
      )
      .workers(1)
      .reconcile({
        async observe(name, { informers }) {
          const volume = informers.of(PersistentVolume).get(name)
          return volume && { volume, metadata: volume.metadata, finalizer, isInUse: volume.status?.phase === 'Bound' }
        },
        decide,
        async act(metadata, { volume }, { client }) {
          await unlessNotFound(client.resource(PersistentVolume).update({ ...volume, metadata }))
        },
      }),
})
