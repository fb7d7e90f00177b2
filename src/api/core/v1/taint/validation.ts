import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey, labelValue } from '../../../../schema/label-names.js'
import { type Taint, TaintEffect } from '../taint.js'

/** What is wrong with the taints of a node, of which there is one for each key and effect. */
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

/** With the names that clients are used to see. */
function shownTaint({ key, value = '', effect, timeAdded = undefined }: Taint): object {
  return { Key: key, Value: value, Effect: effect, TimeAdded: timeAdded ?? null }
}
