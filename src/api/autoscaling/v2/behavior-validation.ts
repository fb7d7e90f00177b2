/** Validates the scaling behavior of an autoscaler. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { notNegative } from '../../../schema/identifiers.js'
import { Quantity } from '../../../schema/values/quantity.js'
import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy, HPAScalingRules } from './horizontal-pod-autoscaler.js'

const maximumWindow = 3600
const maximumPeriod = 1800

const selections: readonly string[] = ['Disabled', 'Max', 'Min']
const policyTypes: readonly string[] = ['Percent', 'Pods']

export function validateBehavior(
  behavior: HorizontalPodAutoscalerBehavior | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!behavior) return field.none
  return (['scaleUp', 'scaleDown'] as const).flatMap((name) => {
    const scaling = behavior[name]
    return scaling ? validateScaling(scaling, path.child(name)) : field.none
  })
}

function validateScaling(scaling: HPAScalingRules, path: FieldPath): readonly field.FieldError[] {
  const { selectPolicy, policies = [], tolerance } = scaling
  const policiesPath = path.child('policies')
  return [
    ...validateWindow(scaling.stabilizationWindowSeconds ?? 0, path.child('stabilizationWindowSeconds')),
    ...(selectPolicy === undefined || selections.includes(selectPolicy)
      ? []
      : [field.notSupported(path.child('selectPolicy'), selectPolicy, selections)]),
    ...(policies.length === 0 ? [field.required(policiesPath, 'must specify at least one Policy')] : []),
    ...policies.flatMap((policy, i) => validatePolicy(policy, policiesPath.index(i))),
    ...(tolerance !== undefined && Quantity.parse(tolerance).sign() < 0
      ? [field.invalid(path.child('tolerance'), tolerance, notNegative)]
      : []),
  ]
}

function validateWindow(seconds: number, path: FieldPath): readonly field.FieldError[] {
  if (seconds < 0) return [field.invalid(path, seconds, 'must be greater than or equal to zero')]
  if (seconds <= maximumWindow) return field.none
  return [field.invalid(path, seconds, `must be less than or equal to ${maximumWindow}`)]
}

function validatePolicy(
  { type, value, periodSeconds }: HPAScalingPolicy,
  path: FieldPath,
): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (!policyTypes.includes(type)) errors.push(field.notSupported(path.child('type'), type, policyTypes))
  if (value <= 0) errors.push(field.invalid(path.child('value'), value, 'must be greater than zero'))
  if (periodSeconds <= 0)
    errors.push(field.invalid(path.child('periodSeconds'), periodSeconds, 'must be greater than zero'))
  if (periodSeconds > maximumPeriod) {
    const why = `must be less than or equal to ${maximumPeriod}`
    errors.push(field.invalid(path.child('periodSeconds'), periodSeconds, why))
  }
  return errors
}
