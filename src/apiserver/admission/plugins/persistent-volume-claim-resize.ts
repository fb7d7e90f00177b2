import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { StorageClass } from '../../../api/storage/v1/storage-class.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor } from '../requests.js'

/** Claims grow only where their class can make volumes grow. */
export function persistentVolumeClaimResize(lookups: ObjectLookups): AdmissionPlugin {
  const classes = lookups.of<StorageClass>('storage.k8s.io', 'v1', 'storageclasses')
  return {
    name: 'PersistentVolumeClaimResize',
    handles: (request) => request.operation === 'UPDATE' && isFor(request, '', 'persistentvolumeclaims'),
    validate: (request) => check(request, classes),
  }
}

function check(request: AdmissionRequest, classes: ObjectLookup<StorageClass>): void {
  const claim = request.object as PersistentVolumeClaim
  const old = request.old as PersistentVolumeClaim
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
