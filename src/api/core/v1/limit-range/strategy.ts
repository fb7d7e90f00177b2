import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { memberOf } from '../../../../schema/json-value.js'
import { labelKey } from '../../../../schema/label-names.js'
import { declareDefaults, declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { compareText } from '../../../../schema/text-order.js'
import { Quantity } from '../../../../schema/values/quantity.js'
import { LimitRange, LimitRangeItem } from '../limit-range.js'
import { roundResources } from '../resource-requirements/defaults.js'
import {
  validateContainerResourceName,
  validateResourceName,
} from '../resource-requirements/resource-list-validation.js'
import { isOvercommitAllowed } from '../resource-requirements/resource-names.js'

/** The default limit is the maximum; the default request is the default limit. */
export const limitRangeItemDefaults = declareDefaults<LimitRangeItem>(LimitRangeItem, (item) => {
  for (const part of ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const)
    roundResources(item[part])
  if (item.type !== 'Container') return
  const limits = { ...item.max, ...item.default }
  const requests = { ...item.min, ...limits, ...item.defaultRequest }
  if (Object.keys(limits).length > 0) item.default = limits
  if (Object.keys(requests).length > 0) item.defaultRequest = requests
})

export const limitRangeTable = declareTable<LimitRange>(LimitRange, {
  'Created At': ({ metadata }) => metadata.creationTimestamp ?? '',
})

export const limitRangeStrategy = declareStrategy<LimitRange>(LimitRange, {
  validate: validateLimitRange,
  createdByUpdate: true,
})

type Part = 'max' | 'min' | 'default' | 'defaultRequest' | 'maxLimitRequestRatio'

export function* validateLimitRange({ spec }: LimitRange): Iterable<field.FieldError> {
  const types = new Set<string>()
  for (const [i, item] of (spec.limits ?? []).entries()) {
    const path = fieldPath('spec', 'limits').index(i)
    yield* validateType(item.type, path.child('type'))
    if (types.has(item.type)) yield field.duplicate(path.child('type'), item.type)
    types.add(item.type)
    yield* validateItem(item, path)
  }
}

const standardTypes: ReadonlySet<string> = new Set(['Pod', 'Container', 'PersistentVolumeClaim'])

function validateType(type: string, path: FieldPath): readonly field.FieldError[] {
  const errors = field.invalidForEach(path, type, labelKey(type))
  if (errors.length > 0 || type.includes('/') || standardTypes.has(type)) return errors
  return [field.invalid(path, type, 'must be a standard limit type or fully qualified')]
}

function* validateItem(item: LimitRangeItem, path: FieldPath): Iterable<field.FieldError> {
  const isPod = item.type === 'Pod'
  yield* validateNames(item, 'max', path)
  yield* validateNames(item, 'min', path)
  for (const part of ['default', 'defaultRequest'] as const) {
    if (!isPod) yield* validateNames(item, part, path)
    else if (Object.keys(item[part] ?? {}).length > 0)
      yield field.forbidden(path.child(part), "may not be specified when `type` is 'Pod'")
  }
  if (item.type === 'PersistentVolumeClaim' && !item.min?.storage && !item.max?.storage)
    yield field.required(
      path.child('limits'),
      'either minimum or maximum storage value is required, but neither was provided',
    )
  yield* validateNames(item, 'maxLimitRequestRatio', path)
  const { default: _, defaultRequest: __, ...bounds } = item
  for (const name of resourcesIn(isPod ? bounds : item))
    yield* validateAmounts(amountsOf(isPod ? bounds : item, name), path)
}

function* validateNames(item: LimitRangeItem, part: Part, path: FieldPath): Iterable<field.FieldError> {
  const rule = item.type === 'Pod' || item.type === 'Container' ? validateContainerResourceName : validateResourceName
  for (const name in item[part]) yield* rule(name, path.child(part).key(name))
}

/** The resources of an item in the order of their names. */
function resourcesIn({
  max,
  min,
  default: limit,
  defaultRequest,
  maxLimitRequestRatio,
}: LimitRangeItem): readonly string[] {
  return Object.keys({ ...max, ...min, ...limit, ...defaultRequest, ...maxLimitRequestRatio }).sort(compareText)
}

/** The quantities of one resource in an item. */
interface Amounts {
  readonly name: string
  readonly min: Quantity | undefined
  readonly max: Quantity | undefined
  readonly limit: Quantity | undefined
  readonly request: Quantity | undefined
  readonly ratio: Quantity | undefined
}

function amountsOf(item: LimitRangeItem, name: string): Amounts {
  const amount = (part: Part): Quantity | undefined => {
    const text = memberOf(item[part], name)
    return text === undefined ? undefined : Quantity.parse(text)
  }
  return {
    name,
    min: amount('min'),
    max: amount('max'),
    limit: amount('default'),
    request: amount('defaultRequest'),
    ratio: amount('maxLimitRequestRatio'),
  }
}

function isGreater(left: Quantity | undefined, right: Quantity | undefined): boolean {
  return left !== undefined && right !== undefined && left.compare(right) > 0
}

function* validateAmounts(amounts: Amounts, path: FieldPath): Iterable<field.FieldError> {
  const { name, min, max, limit, request } = amounts
  const at = (part: Part): FieldPath => path.child(part).key(name)
  if (isGreater(min, max)) yield field.invalid(at('min'), `${min}`, `min value ${min} is greater than max value ${max}`)
  if (isGreater(min, request))
    yield field.invalid(
      at('defaultRequest'),
      `${request}`,
      `min value ${min} is greater than default request value ${request}`,
    )
  if (isGreater(request, max))
    yield field.invalid(
      at('defaultRequest'),
      `${request}`,
      `default request value ${request} is greater than max value ${max}`,
    )
  if (isGreater(request, limit))
    yield field.invalid(
      at('defaultRequest'),
      `${request}`,
      `default request value ${request} is greater than default limit value ${limit}`,
    )
  if (isGreater(min, limit))
    yield field.invalid(at('default'), `${min}`, `min value ${min} is greater than default value ${limit}`)
  if (isGreater(limit, max))
    yield field.invalid(at('default'), `${max}`, `default value ${limit} is greater than max value ${max}`)
  yield* validateRatio(amounts, at('maxLimitRequestRatio'))
  if (!isOvercommitAllowed(name) && limit && request && !limit.equals(request))
    yield field.invalid(
      at('defaultRequest'),
      `${request}`,
      `default value ${limit} must equal to defaultRequest value ${request} in ${name}`,
    )
}

/** Beyond this value, thousandths do not fit into 64 bits. */
const largestMilli = Number((2n ** 63n - 1n) / 1000n)

function* validateRatio({ min, max, ratio }: Amounts, path: FieldPath): Iterable<field.FieldError> {
  if (!ratio) return
  if (ratio.compare(Quantity.of(1)) < 0) yield field.invalid(path, `${ratio}`, `ratio ${ratio} is less than 1`)
  if (!min || !max) return
  const isExact = [ratio, min, max].every((quantity) => quantity.value() < largestMilli)
  const value = isExact ? ratio.milliValue() / 1000 : ratio.value()
  const largest = isExact ? max.milliValue() / min.milliValue() : max.value() / min.value()
  if (value > largest)
    yield field.invalid(path, `${ratio}`, `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`)
}
