/** Validates the capacity of shared devices. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { validateList } from '../device/list-validation.js'
import type { CapacityRequestPolicy, CapacityRequestPolicyRange, DeviceCapacity } from '../resource-slice.js'

const mostValues = 10

/** A request policy requires a device that allows multiple allocations. */
export function validateCapacity(
  { value, requestPolicy }: DeviceCapacity,
  path: FieldPath,
  isShared: boolean,
): readonly field.FieldError[] {
  if (!requestPolicy) return field.none
  const at = path.child('requestPolicy')
  if (!isShared) return [field.forbidden(at, 'allowMultipleAllocations must be true')]
  return validatePolicy(requestPolicy, Quantity.parse(value), at)
}

function validatePolicy(policy: CapacityRequestPolicy, most: Quantity, path: FieldPath): readonly field.FieldError[] {
  const { validValues = [], validRange } = policy
  if (validValues.length > 0 && validRange) {
    const detail = 'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
    return [field.forbidden(path, detail)]
  }
  const name = validValues.length > 0 ? 'validValues' : validRange ? 'validRange' : undefined
  if (name === undefined) return field.none
  if (!policy.default) return [field.required(path.child('default'), `required when ${name} is defined`)]
  const standard = Quantity.parse(policy.default)
  return validRange
    ? validateRange(validRange, { standard, most }, path.child('validRange'))
    : validateValues(validValues, { standard, most }, path.child('validValues'))
}

interface Bounds {
  /** The default for a claim. */
  readonly standard: Quantity
  /** The whole capacity. */
  readonly most: Quantity
}

function validateValues(values: readonly string[], { standard, most }: Bounds, path: FieldPath): field.FieldError[] {
  const amounts = values.map((value) => Quantity.parse(value))
  const errors: field.FieldError[] = []
  for (const [i, amount] of amounts.entries())
    if (i > 0 && amounts[i - 1]!.compare(amount) > 0)
      errors.push(field.invalid(path.index(i), values[i], 'values must be sorted in ascending order'))
  errors.push(
    ...validateList(
      values,
      path,
      (value, at) =>
        Quantity.parse(value).compare(most) > 0
          ? [field.invalid(at, value, `option is larger than capacity value: ${most}`)]
          : field.none,
      { maximum: mostValues, key: (value) => String(Quantity.parse(value).scaledValue(0)) },
    ),
  )
  if (values.length <= mostValues && !amounts.some((amount) => amount.equals(standard)))
    errors.push(field.invalid(path, String(standard), 'default value is not valid according to the requestPolicy'))
  return errors
}

function validateRange(range: CapacityRequestPolicyRange, bounds: Bounds, path: FieldPath): field.FieldError[] {
  if (!range.min) return [field.required(path.child('min'), 'required when validRange is defined')]
  const { standard, most } = bounds
  const min = Quantity.parse(range.min)
  const max = range.max === undefined ? undefined : Quantity.parse(range.max)
  const errors: field.FieldError[] = []
  const check = (wrong: boolean, name: string, shown: Quantity, detail: string) => {
    if (wrong) errors.push(field.invalid(path.child(name), String(shown), detail))
  }
  check(min.compare(most) > 0, 'min', min, `min is larger than capacity value: ${most}`)
  check(standard.compare(min) < 0, 'min', standard, `default is less than min: ${min}`)
  if (max) {
    check(min.compare(max) > 0, 'max', min, `min is larger than max: ${max}`)
    check(max.compare(most) > 0, 'max', max, `max is larger than capacity value: ${most}`)
    check(standard.compare(max) > 0, 'max', standard, `default is more than max: ${max}`)
  }
  if (range.step !== undefined) {
    const step = Quantity.parse(range.step)
    const next = min.add(step)
    check(next.compare(most) > 0, 'step', step, `one step ${next} is larger than capacity value: ${most}`)
    for (const value of max ? [standard, max] : [standard])
      check(
        !isOnStep(value, min, step),
        'step',
        value,
        `value is not a multiple of a given step (${step}) from (${min})`,
      )
  }
  return errors
}

/** Compares whole units. A step below one matches every value. */
function isOnStep(value: Quantity, min: Quantity, step: Quantity): boolean {
  const size = step.scaledValue(0)
  return size === 0n || (value.scaledValue(0) - min.scaledValue(0)) % size === 0n
}
