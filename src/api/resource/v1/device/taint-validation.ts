import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey, labelValue } from '../../../../schema/label-names.js'
import { validateChoice, validateOptionalChoice } from '../../../validation/choices.js'
import type { DeviceToleration } from '../device-request.js'
import type { DeviceTaint } from '../resource-slice.js'

const effects = ['NoExecute', 'NoSchedule', 'None']

/** Validates a device taint. The effect of `old`, which it replaces, is always valid. */
export function validateDeviceTaint(
  taint: DeviceTaint,
  path: FieldPath,
  old?: Pick<DeviceTaint, 'effect'>,
): readonly field.FieldError[] {
  const { key, value = '', effect } = taint
  return [
    ...field.invalidForEach(path.child('key'), key, labelKey(key)),
    ...(value === '' ? [] : field.invalidForEach(path.child('value'), value, labelValue(value))),
    ...(old?.effect === effect ? [] : validateChoice(effect, path.child('effect'), effects)),
  ]
}

export function validateDeviceTolerations(
  tolerations: readonly DeviceToleration[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  return (tolerations ?? []).flatMap((toleration, i) => validateToleration(toleration, path.index(i)))
}

function validateToleration(toleration: DeviceToleration, path: FieldPath): readonly field.FieldError[] {
  const { key = '', effect } = toleration
  return [
    ...(key === '' ? [] : field.invalidForEach(path.child('key'), key, labelKey(key))),
    ...validateOperator(toleration, path),
    ...(effect ? validateOptionalChoice(effect, path.child('effect'), effects) : []),
  ]
}

function validateOperator({ operator, value = '' }: DeviceToleration, path: FieldPath): readonly field.FieldError[] {
  const valuePath = path.child('value')
  if (operator === 'Equal') return field.invalidForEach(valuePath, value, labelValue(value))
  if (operator !== 'Exists') return validateChoice(operator, path.child('operator'), ['Equal', 'Exists'])
  return value === '' ? field.none : [field.invalid(valuePath, value, 'must be empty for operator `Exists`')]
}
