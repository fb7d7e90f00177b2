import * as field from '../../schema/field-errors.js'
import { FieldPath } from '../../schema/field-path.js'
import { labelKey, labelValue } from '../../schema/label-names.js'
import { ValueError } from '../../schema/value-error.js'

export type LabelMap = Readonly<Record<string, string>>

/** As selectors are written: `in`, `notin`, `=`, `==`, `!=`, `gt`, `lt`, `exists`, and `!` for "does not exist". */
export type Operator = 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt' | 'exists' | '!'

/** One thing that a selector asks of an object's labels. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  /** In the order given; none for `exists` and `!`, one for everything but `in` and `notin`. */
  readonly values: readonly string[]
}

/** A requirement that is known to be good. Throws a `ValueError` that tells everything that is wrong with it. */
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

/** A list of no values shows as none. */
function unless(isGood: boolean, values: readonly string[], message: string): readonly field.FieldError[] {
  return isGood ? [] : [field.invalid(valuesPath, values.length === 0 ? null : values, message)]
}

function notInteger(value: string, index: number): readonly field.FieldError[] {
  if (integerOf(value) !== undefined) return []
  return [field.invalid(valuesPath.index(index), value, "for 'Gt', 'Lt' operators, the value must be an integer")]
}

/** A whole number of 64 bits, exactly. Most fit into an ordinary number. */
function integerOf(text: string): number | bigint | undefined {
  if (!/^[+-]?[0-9]+$/.test(text)) return undefined
  if (text.length <= 15) return Number(text)
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value ? value : undefined
}

/** Whether labels meet a requirement. Made once for a selector, then called for each object; it allocates nothing. */
export type LabelTest = (labels: LabelMap | undefined) => boolean

/** What a label says. Labels come from outside: `constructor` is a label only if it is a string. */
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

/** As it is written: `app in (a,b)`, values sorted. */
export function requirementText({ key, operator, values }: Requirement): string {
  const list = [...values].sort().join(',')
  const isSet = operator === 'in' || operator === 'notin'
  return `${operator === '!' ? '!' : ''}${key}${signs[operator]}${isSet ? `(${list})` : list}`
}
