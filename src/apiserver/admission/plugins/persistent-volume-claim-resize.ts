import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { StorageClass } from '../../../api/storage/v1/storage-class.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor } from '../request.js'

/** Rejects larger claims unless their storage class allows volume expansion. */
export const persistentVolumeClaimResize = defineAdmissionPlugin<PersistentVolumeClaim>({
  name: 'PersistentVolumeClaimResize',
  position: 240,
  isDefault: true,
  create({ lookups }) {
    const classes = lookups.of<StorageClass>('storage.k8s.io', 'v1', 'storageclasses')
    return {
      handles: (request) => request.operation === 'UPDATE' && isFor(request, '', 'persistentvolumeclaims'),
      validate: (request) => check(request, classes),
    }
  },
})

function check(request: AdmissionRequest<PersistentVolumeClaim>, classes: ObjectLookup<StorageClass>): void {
  const claim = request.object as PersistentVolumeClaim
  const old = request.old!
  if (sizeOf(claim).compare(sizeOf(old)) <= 0) return
  if (old.status.phase !== 'Bound') throw rejection(request, 'Only bound persistent volume claims can be expanded')
  const name =
    claim.metadata.annotations?.['volume.beta.kubernetes.io/storage-class'] ?? claim.spec.storageClassName ?? ''
  if (name !== '' && classes.get(name)?.allowVolumeExpansion) return
  throw rejection(
    request,
    'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
  )
}

function sizeOf({ spec: { resources } }: PersistentVolumeClaim): Quantity {
  const size = resources?.requests?.storage
  return size === undefined ? Quantity.zero : Quantity.parse(size)
}
