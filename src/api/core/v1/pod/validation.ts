import * as field from '../../../../schema/field-errors.js'
import { FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import type { StrategyContext } from '../../../../schema/strategy.js'
import { isSame } from '../../../validation/immutability.js'
import { validateTrimmedImages } from '../container/validation.js'
import type { Pod } from '../pod.js'
import {
  mirrorKey,
  validateAnnotationAgreement,
  validatePodAnnotations,
  validatePodAnnotationUpdate,
} from './annotation-validation.js'
import { validateResizable, validateResize } from './resize-validation.js'
import type { PodSpec } from './spec.js'
import { validatePodSpec } from './spec-validation.js'
import { validatePodStatusUpdate } from './status-validation.js'
import { validatePodSpecUpdate } from './update-validation.js'

const specPath = fieldPath('spec')
const annotationsPath = fieldPath('metadata', 'annotations')

type Errors = readonly field.FieldError[]

/** Validates a new pod. */
export function validatePod(pod: Pod, context: StrategyContext): Errors {
  const { spec, metadata } = pod
  const errors = [...validateWhole(pod, undefined, context)]
  if (spec.ephemeralContainers?.length)
    errors.push(field.forbidden(specPath.child('ephemeralContainers'), 'cannot be set on create'))
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(
      field.forbidden(specPath.child('nodeName'), 'cannot be set until all schedulingGates have been cleared'),
    )
  errors.push(...validateAnnotationAgreement(metadata.annotations, spec, specPath))
  return errors
}

/** Validates a pod that replaces another. */
export function validatePodUpdate(pod: Pod, old: Pod, context: StrategyContext): Errors {
  return [
    ...validateWhole(pod, old, context),
    ...validateAnnotationsUpdate(pod, old),
    ...validatePodSpecUpdate(pod.spec, old.spec),
  ]
}

export function validatePodStatus(pod: Pod, old: Pod): Errors {
  return [...validateAnnotationsUpdate(pod, old), ...validatePodStatusUpdate(pod, old)]
}

export function validateDebugging(pod: Pod, old: Pod, context: StrategyContext): Errors {
  const refusal = validateNoMirror(old)
  if (refusal.length > 0) return refusal
  return [
    ...validateWhole(pod, old, context),
    ...validateAnnotationsUpdate(pod, old),
    ...validateEphemeralContainersUpdate(pod, old),
  ]
}

export function validatePodResize(pod: Pod, old: Pod, context: StrategyContext): Errors {
  const refusal = validateResizable(pod, old)
  return refusal.length > 0 ? refusal : [...validateWhole(pod, old, context), ...validateResize(pod, old)]
}

/** Validates a pod on create and on update. */
function validateWhole({ metadata, spec }: Pod, old: Pod | undefined, { allowPrivileged }: StrategyContext): Errors {
  const context = { allowPrivileged, old: old?.spec, podName: metadata.name }
  return [
    ...validatePodAnnotations(metadata.annotations, spec, {
      path: annotationsPath,
      old: old?.metadata.annotations,
    }),
    ...validatePodSpec(spec, specPath, context),
    ...validateTokens(spec),
    ...validateTrimmedImages(spec.containers, specPath.child('containers')),
    ...validateTrimmedImages(spec.initContainers ?? [], specPath.child('initContainers')),
  ]
}

/** Validates changed annotations again. As upstream does, their errors are reported twice. */
function validateAnnotationsUpdate({ metadata, spec }: Pod, { metadata: old }: Pod): Errors {
  return [
    ...validatePodAnnotationUpdate(metadata.annotations, old.annotations, annotationsPath),
    ...validatePodAnnotations(metadata.annotations, spec, { path: annotationsPath, old: old.annotations }),
  ]
}

/** Rejects service account tokens in a pod without a service account. */
function validateTokens({ serviceAccountName, volumes }: PodSpec): Errors {
  if (serviceAccountName || !volumes) return field.none
  return volumes.flatMap(({ projected }, i) =>
    (projected?.sources ?? []).flatMap(({ serviceAccountToken }, j) => {
      if (!serviceAccountToken) return []
      const at = specPath.child('volumes').index(i).child('projected', 'sources').index(j).child('serviceAccountToken')
      return [field.forbidden(at, 'must not be specified when serviceAccountName is not set')]
    }),
  )
}

/** Rejects ephemeral containers of mirror pods, without further validation. */
export function validateNoMirror({ metadata }: Pod): readonly field.FieldError[] {
  if (metadata.annotations?.[mirrorKey] === undefined) return field.none
  return [field.forbidden(FieldPath.none.child(''), 'static pods do not support ephemeral containers')]
}

/** Ephemeral containers can be added, but neither changed nor removed. */
export function validateEphemeralContainersUpdate({ spec }: Pod, old: Pod): readonly field.FieldError[] {
  const path = fieldPath('spec', 'ephemeralContainers')
  return (old.spec.ephemeralContainers ?? []).flatMap((before) => {
    const after = spec.ephemeralContainers?.findLast(({ name }) => name === before.name)
    if (after && isSame(after, before)) return []
    const what = after ? 'changed' : 'removed\n'
    return [field.forbidden(path, `existing ephemeral containers ${quote(before.name)} may not be ${what}`)]
  })
}
