import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import { asJson } from '../../../api/kube-object.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionRequest } from '../admission.js'
import { rejection } from '../rejection.js'

/** A node tells how large a claim has become, and nothing else. */
export function checkClaimStatus(request: AdmissionRequest, node: string): void {
  if (request.subresource !== 'status') throw rejection(request, 'may only update PVC status')
  if (request.operation !== 'UPDATE') throw rejection(request, `unexpected operation ${quote(request.operation)}`)
  const claim = request.object as PersistentVolumeClaim
  const old = request.old as PersistentVolumeClaim
  if (!sameJson(asJson(besidesSize(claim)), asJson(besidesSize(old))))
    throw rejection(
      request,
      `node ${quote(node)} is not allowed to update fields other than status.capacity and status.conditions`,
    )
}

function besidesSize({ metadata, status = {}, ...rest }: PersistentVolumeClaim): object {
  const { resourceVersion: _version, managedFields: _fields, ...kept } = metadata
  const {
    capacity: _size,
    conditions: _told,
    allocatedResources: _wanted,
    allocatedResourceStatuses: _how,
    ...others
  } = status
  return { ...rest, metadata: kept, status: others }
}
