import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { validateNoneNegative } from '../../validation/numbers.js'
import { validateBehavior } from './behavior-validation.js'
import {
  type CrossVersionObjectReference,
  HorizontalPodAutoscaler,
  type HorizontalPodAutoscalerSpec,
} from './horizontal-pod-autoscaler.js'
import { validateMetric } from './metric-validation.js'
import { type ReferenceLeniency, validateObjectReference, versionProblem } from './object-reference-validation.js'

const specPath = fieldPath('spec')
const statusPath = fieldPath('status')

export const horizontalPodAutoscalerStrategy = declareStrategy<HorizontalPodAutoscaler>(HorizontalPodAutoscaler, {
  validate: ({ spec }) => validateAutoscalerSpec(spec, undefined),
  validateUpdate: ({ spec }, old) => validateAutoscalerSpec(spec, old.spec),
  subresources: {
    status: {
      validateUpdate: ({ status }) => validateNoneNegative(status, ['currentReplicas', 'desiredReplicas'], statusPath),
    },
  },
})

function validateAutoscalerSpec(
  spec: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): readonly field.FieldError[] {
  return [
    ...validateReplicas(spec, old),
    ...validateObjectReference(spec.scaleTargetRef, specPath.child('scaleTargetRef'), targetLeniency(spec, old)),
    ...validateMetrics(spec, old),
    ...validateBehavior(spec.behavior, specPath.child('behavior')),
  ]
}

function validateReplicas(
  { minReplicas, maxReplicas }: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): readonly field.FieldError[] {
  const maximumPath = specPath.child('maxReplicas')
  // Zero replicas are behind a disabled feature gate, but allowed if the old object has them.
  const least = old?.minReplicas === 0 ? 0 : 1
  const errors: field.FieldError[] = []
  if (minReplicas !== undefined && minReplicas < least)
    errors.push(field.invalid(specPath.child('minReplicas'), minReplicas, `must be greater than or equal to ${least}`))
  if (maxReplicas === 0) errors.push(field.required(maximumPath, 'must be set and greater than 0'))
  if (maxReplicas < 0) errors.push(field.invalid(maximumPath, maxReplicas, 'must be greater than or equal to 1'))
  if (minReplicas !== undefined && maxReplicas < minReplicas)
    errors.push(field.invalid(maximumPath, maxReplicas, 'must be greater than or equal to `minReplicas`'))
  return errors
}

/** The core group is only accepted for replication controllers. */
function targetLeniency(
  { scaleTargetRef }: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): ReferenceLeniency {
  const coreGroup = scaleTargetRef.kind === 'ReplicationController'
  return { coreGroup, anyVersion: old !== undefined && wasWrong(old.scaleTargetRef, coreGroup) }
}

function wasWrong({ apiVersion = '' }: CrossVersionObjectReference, coreGroup: boolean): boolean {
  return versionProblem(apiVersion, coreGroup) !== undefined
}

function validateMetrics(
  { metrics = [], minReplicas }: HorizontalPodAutoscalerSpec,
  old: HorizontalPodAutoscalerSpec | undefined,
): readonly field.FieldError[] {
  const path = specPath.child('metrics')
  const anyVersion = (old?.metrics ?? []).some(({ object }) => object && wasWrong(object.describedObject, true))
  const errors = metrics.flatMap((metric, i) => validateMetric(metric, path.index(i), { coreGroup: true, anyVersion }))
  // Pods that are not there cannot be measured.
  const canRestart = metrics.some(({ type }) => type === 'Object' || type === 'External')
  if (minReplicas !== 0 || canRestart) return errors
  const why = 'must specify at least one Object or External metric to support scaling to zero replicas'
  return [...errors, field.forbidden(path, why)]
}
