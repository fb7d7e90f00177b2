import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { aggregateMessages } from '../../../schema/field-errors.js'
import type { AdmissionRequest } from '../admission.js'
import { defineAdmissionPlugin } from '../definition.js'
import type { ObjectLookup } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor, isNewPod, isPod, isWrite, podOf } from '../request.js'
import { setDefaultResources } from './defaults.js'
import { claimLimitErrors, podLimitErrors } from './limits.js'

/** Sets the requests and limits that containers leave out, and rejects pods and claims outside of the limits, as limit ranges say. */
export const limitRanger = defineAdmissionPlugin({
  name: 'LimitRanger',
  position: 70,
  isDefault: true,
  create({ lookups }) {
    const ranges = lookups.of<LimitRange>('', 'v1', 'limitranges')
    return {
      handles: (request) => isNewPod(request) || isResize(request) || isClaim(request),
      mutate(request) {
        if (isNewPod(request))
          for (const range of ranges.list(request.namespace)) setDefaultResources(podOf(request), range)
      },
      validate: (request) => check(request, ranges),
    }
  },
})

function isResize(request: AdmissionRequest): boolean {
  return request.operation === 'UPDATE' && isPod(request, 'resize')
}

function isClaim(request: AdmissionRequest): boolean {
  return isWrite(request) && isFor(request, '', 'persistentvolumeclaims')
}

function check(request: AdmissionRequest, ranges: ObjectLookup<LimitRange>): void {
  if (request.old?.metadata.deletionTimestamp !== undefined) return
  for (const range of ranges.list(request.namespace)) {
    const errors = isClaim(request)
      ? claimLimitErrors(range, request.object as PersistentVolumeClaim)
      : podLimitErrors(range, request.object as Pod)
    if (errors.length > 0) throw rejection(request, aggregateMessages(errors))
  }
}
