import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey, labelValue } from '../../../../schema/label-names.js'
import { type Taint, TaintEffect, type Toleration } from '../taint.js'

/** Validates the taints of a node. Each key and effect may occur once. */
export function* validateTaints(taints: readonly Taint[], path: FieldPath): Iterable<field.FieldError> {
  const seen = new Set<string>()
  for (const [i, taint] of taints.entries()) {
    const at = path.index(i)
    yield* validateTaint(taint, at)
    const key = `${taint.effect} ${taint.key}`
    if (seen.has(key)) yield field.duplicate(at, shownTaint(taint), 'taints must be unique by key and effect pair')
    seen.add(key)
  }
}

function* validateTaint({ key, value = '', effect }: Taint, path: FieldPath): Iterable<field.FieldError> {
  yield* field.invalidForEach(path.child('key'), key, labelKey(key))
  const messages = labelValue(value)
  if (messages.length > 0) yield field.invalid(path.child('value'), value, messages.join(';'))
  if (effect === ('' as never)) yield field.required(path.child('effect'))
  else if (!TaintEffect.type.values.includes(effect))
    yield field.notSupported(path.child('effect'), effect, TaintEffect.type.values)
}

/** With the field names of upstream's messages. */
function shownTaint({ key, value = '', effect, timeAdded = undefined }: Taint): object {
  return { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null }
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** Validates the effect of a taint or toleration. */
export function validateTaintEffect(effect: string, path: FieldPath): readonly field.FieldError[] {
  return effects.includes(effect) ? field.none : [field.notSupported(path, effect, effects)]
}

export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!tolerations) return field.none
  const errors: field.FieldError[] = []
  for (const [i, toleration] of tolerations.entries()) errors.push(...validateToleration(toleration, path.index(i)))
  return errors
}

function validateToleration(toleration: Toleration, path: FieldPath): readonly field.FieldError[] {
  const { key = '', operator = '', effect = '', tolerationSeconds } = toleration
  const errors: field.FieldError[] = []
  if (key !== '') errors.push(...field.invalidForEach(path.child('key'), key, labelKey(key)))
  else if (operator !== 'Exists')
    errors.push(
      field.invalid(
        path.child('operator'),
        operator,
        'operator must be Exists when `key` is empty, which means "match all values and all keys"',
      ),
    )
  if (tolerationSeconds !== undefined && effect !== 'NoExecute')
    errors.push(
      field.invalid(path.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
    )
  errors.push(...operatorErrors(toleration, path.child('operator')))
  if (effect !== '') errors.push(...validateTaintEffect(effect, path.child('effect')))
  return errors
}

/** The default operator is `Equal`. Errors of the value have the path of the operator. */
function operatorErrors({ operator, value = '' }: Toleration, path: FieldPath): readonly field.FieldError[] {
  if (operator === 'Equal' || !operator) {
    const messages = labelValue(value)
    return messages.length === 0 ? field.none : [field.invalid(path, value, messages.join(';'))]
  }
  if (operator !== 'Exists') return [field.notSupported(path, operator, ['Equal', 'Exists'])]
  return value === '' ? field.none : [field.invalid(path, value, "value must be empty when `operator` is 'Exists'")]
}

/** A pod may get more tolerations, or other durations, but not lose any. */
export function validateOnlyAddedTolerations(
  tolerations: readonly Toleration[] | undefined,
  old: readonly Toleration[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const kept = (old ?? []).every((before) => tolerations?.some((after) => isSameButForTime(before, after)))
  if (!kept) return [field.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds')]
  return validateTolerations(tolerations, path)
}

function isSameButForTime(one: Toleration, other: Toleration): boolean {
  return (
    one.key === other.key && one.operator === other.operator && one.value === other.value && one.effect === other.effect
  )
}
