import * as field from '../../schema/field-errors.js'
import { FieldPath } from '../../schema/field-path.js'
import { labelKey, labelValue } from '../../schema/label-names.js'
import { ValueError } from '../../schema/value-error.js'

export type LabelMap = Readonly<Record<string, string>>

/** The operators of selectors; `!` means "does not exist". */
export type Operator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!'

/** One requirement on the labels of an object. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  /** In the order given; none for `exists` and `!`, one for everything but `in` and `notin`. */
  readonly values: readonly string[]
}

/** Creates a valid requirement. Throws `ValueError` with all problems. */
export function requirement(key: string, operator: Operator, values: readonly string[]): Requirement {
  const problems = [
    ...keyErrors(FieldPath.none.child('key'), key),
    ...countErrors(operator, values),
    ...valueErrors(key, values),
  ]
  if (problems.length > 0) throw new ValueError(field.aggregateMessages(problems.map(String)))
  return { key, operator, values }
}

export function keyErrors(path: FieldPath, key: string): readonly field.FieldError[] {
  const messages = labelKey(key)
  return messages.length === 0 ? [] : [field.invalid(path, key, messages.join('; '))]
}

const valuesPath = FieldPath.none.child('values')

function valueErrors(key: string, values: readonly string[]): readonly field.FieldError[] {
  return values.flatMap((value, i) => {
    const messages = labelValue(value)
    return messages.length === 0 ? [] : [field.invalid(valuesPath.index(i).key(key), value, messages.join('; '))]
  })
}

function countErrors(operator: Operator, values: readonly string[]): readonly field.FieldError[] {
  switch (operator) {
    case 'in':
    case 'notin':
      return unless(values.length > 0, values, "for 'in', 'notin' operators, values set can't be empty")
    case 'exists':
    case '!':
      return unless(values.length === 0, values, 'values set must be empty for exists and does not exist')
    case 'gt':
    case 'lt':
      return [
        ...unless(values.length === 1, values, "for 'Gt', 'Lt' operators, exactly one value is required"),
        ...values.flatMap((value, i) => notInteger(value, i)),
      ]
    default:
      return unless(values.length === 1, values, 'exact-match compatibility requires one single value')
  }
}

/** Returns an error unless `isGood`. An empty list is printed as null. */
function unless(isGood: boolean, values: readonly string[], message: string): readonly field.FieldError[] {
  return isGood ? [] : [field.invalid(valuesPath, values.length === 0 ? null : values, message)]
}

function notInteger(value: string, index: number): readonly field.FieldError[] {
  if (integerOf(value) !== undefined) return []
  return [field.invalid(valuesPath.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer")]
}

/** Parses a 64-bit integer exactly: as a number if possible, otherwise as a bigint. */
function integerOf(text: string): number | bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  if (text.length <= 15) return Number(text)
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** Tests labels. Compiled once for a selector, then called for each object; allocates nothing. */
export type LabelTest = (labels: LabelMap | undefined) => boolean

/** The value of a label. Inherited members such as `constructor` do not count. */
function labelOf(labels: LabelMap | undefined, key: string): string | undefined {
  const value: unknown = labels?.[key]
  return typeof value === 'string' ? value : undefined
}

export function labelTest({ key, operator, values }: Requirement): LabelTest {
  switch (operator) {
    case 'exists':
      return (labels) => labelOf(labels, key) !== undefined
    case '!':
      return (labels) => labelOf(labels, key) === undefined
    case 'gt':
    case 'lt':
      return orderTest(key, operator, values[0]!)
    case 'notin':
    case '!=': {
      const isIn = membership(key, values)
      return (labels) => !isIn(labels)
    }
    default:
      return membership(key, values)
  }
}

function membership(key: string, values: readonly string[]): LabelTest {
  const [first] = values
  if (values.length === 1) return (labels) => labelOf(labels, key) === first
  const set = new Set<string | undefined>(values)
  return (labels) => set.has(labelOf(labels, key))
}

function orderTest(key: string, operator: 'gt' | 'lt', value: string): LabelTest {
  const limit = integerOf(value)!
  return (labels) => {
    const number = integerOf(labelOf(labels, key) ?? '')
    if (number === undefined) return false
    return operator === 'gt' ? number > limit : number < limit
  }
}

const signs: Readonly<Record<Operator, string>> = {
  in: ' in ',
  notin: ' notin ',
  '=': '=',
  '==': '==',
  '!=': '!=',
  gt: '>',
  lt: '<',
  exists: '',
  '!': '',
}

/** Formats a requirement with sorted values: `app in (a,b)`. */
export function requirementText({ key, operator, values }: Requirement): string {
  const list = [...values].sort().join(',')
  const isSet = operator === 'in' || operator === 'notin'
  return `${operator === '!' ? '!' : ''}${key}${signs[operator]}${isSet ? `(${list})` : list}`
}
