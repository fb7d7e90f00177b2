import type { LimitRange } from '../../../api/core/v1/limit-range.js'
import type { PersistentVolumeClaim } from '../../../api/core/v1/persistent-volume-claim.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { aggregated } from '../../../schema/field-errors.js'
import type { AdmissionPlugin, AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { isFor, isNewPod, isPod, podOf } from '../requests.js'
import { fillInResources } from './defaults.js'
import { claimLimitErrors, podLimitErrors } from './limits.js'

/** Limit ranges fill in what containers do not say about their size, and refuse what is too large or too small. */
export function limitRanger(lookups: ObjectLookups): AdmissionPlugin {
  const ranges = lookups.of<LimitRange>('', 'v1', 'limitranges')
  return {
    name: 'LimitRanger',
    handles: (request) => isNewPod(request) || isResize(request) || isClaim(request),
    mutate(request) {
      if (isNewPod(request)) for (const range of ranges.list(request.namespace)) fillInResources(podOf(request), range)
    },
    validate: (request) => check(request, ranges),
  }
}

function isResize(request: AdmissionRequest): boolean {
  return request.operation === 'UPDATE' && isPod(request, 'resize')
}

function isClaim(request: AdmissionRequest): boolean {
  const isWrite = request.operation === 'CREATE' || request.operation === 'UPDATE'
  return isWrite && isFor(request, '', 'persistentvolumeclaims')
}

function check(request: AdmissionRequest, ranges: ObjectLookup<LimitRange>): void {
  if (request.old?.metadata.deletionTimestamp !== undefined) return
  for (const range of ranges.list(request.namespace)) {
    const errors = isClaim(request)
      ? claimLimitErrors(range, request.object as PersistentVolumeClaim)
      : podLimitErrors(range, request.object as Pod)
    if (errors.length > 0) throw rejection(request, aggregated(errors))
  }
}
