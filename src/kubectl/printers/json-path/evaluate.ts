import { isList, isObject } from '../../../schema/json-value.js'
import { compareText } from '../../../schema/text-order.js'
import type { Filter, JsonPathOperand, JsonPathStep, Path } from './syntax.js'

export interface Evaluation {
  readonly root: unknown
  /** Whether a missing field is an error. */
  readonly isStrict: boolean
}

/** Returns all values that a path leads to. */
export function follow(path: Path, value: unknown, evaluation: Evaluation): readonly unknown[] {
  let found: readonly unknown[] = [path.fromRoot ? evaluation.root : value]
  for (const step of path.steps) found = found.flatMap((each) => take(step, each, evaluation))
  return found
}

function take(step: JsonPathStep, value: unknown, evaluation: Evaluation): readonly unknown[] {
  switch (step.is) {
    case 'field':
      return field(step.name, value, evaluation)
    case 'all':
      return childrenOf(value)
    case 'deep':
      return descendants(value)
    case 'index':
      return element(step.index, value, evaluation)
    case 'slice':
      return slice(step, value)
    case 'filter':
      return childrenOf(value).filter((each) => passes(step.filter, each, evaluation))
    case 'union':
      return step.paths.flatMap((path) => follow(path, value, evaluation))
  }
}

function field(name: string, value: unknown, { isStrict }: Evaluation): readonly unknown[] {
  if (isObject(value) && Object.hasOwn(value, name)) return value[name] === null ? [] : [value[name]]
  if (isStrict) throw new Error(`${name} is not found`)
  return []
}

/** The items of a list, or the values of an object sorted by key. */
function childrenOf(value: unknown): readonly unknown[] {
  if (isList(value)) return value
  if (!isObject(value)) return []
  return Object.keys(value)
    .sort(compareText)
    .map((key) => value[key])
}

function descendants(value: unknown): readonly unknown[] {
  if (!isList(value) && !isObject(value)) return []
  return [value, ...childrenOf(value).flatMap(descendants)]
}

function element(index: number, value: unknown, { isStrict }: Evaluation): readonly unknown[] {
  if (!isList(value)) {
    if (value === undefined || (value === null && !isStrict)) return []
    throw new Error(`${goTypeOf(value)} is not array or slice`)
  }
  const at = index < 0 ? index + value.length : index
  if (at < 0 || at >= value.length) throw new Error(`array index out of bounds: index ${index}, length ${value.length}`)
  return [value[at]]
}

function goTypeOf(value: unknown): string {
  if (isObject(value)) return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'int64' : 'string'
}

function slice({ from = 0, to, by = 1 }: JsonPathStep & { is: 'slice' }, value: unknown): readonly unknown[] {
  if (!isList(value)) return []
  if (by <= 0) throw new Error('step must be > 0')
  const start = from < 0 ? from + value.length : from
  const end = to === undefined ? value.length : to < 0 ? to + value.length : to
  if (start >= value.length && value.length > 0)
    throw new Error(`array index out of bounds: index ${start}, length ${value.length}`)
  if (start < 0) throw new Error(`array index out of bounds: index ${start}, length ${value.length}`)
  return value.slice(start, end).filter((_, index) => index % by === 0)
}

function passes({ left, operator, right }: Filter, value: unknown, evaluation: Evaluation): boolean {
  const lenient = { ...evaluation, isStrict: false }
  const one = operandValues(left, value, lenient)
  if (operator === 'exists') return one.length > 0
  const other = operandValues(right!, value, lenient)
  if (one.length === 0 || other.length === 0) return false
  if (one.length > 1) throw new Error('can only compare one element at a time')
  return compare(one[0], other[0], operator)
}

function operandValues(operand: JsonPathOperand, value: unknown, evaluation: Evaluation): readonly unknown[] {
  return 'literal' in operand ? [operand.literal] : follow(operand.path, value, evaluation)
}

function compare(left: unknown, right: unknown, operator: Filter['operator']): boolean {
  if (operator === '==') return isSame(left, right)
  if (operator === '!=') return !isSame(left, right)
  if (typeof left !== typeof right) throw new Error('incompatible types for comparison')
  const order = typeof left === 'number' ? left - (right as number) : compareText(String(left), String(right))
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

function isSame(left: unknown, right: unknown): boolean {
  if (typeof left !== typeof right) throw new Error('incompatible types for comparison')
  return left === right
}
