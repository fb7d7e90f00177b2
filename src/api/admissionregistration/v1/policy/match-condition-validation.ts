import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import type { MatchCondition } from '../match-resources.js'
import { validateExpression } from './expression-validation.js'

const mostConditions = 64

/** Validates the expressions that decide whether a webhook or policy is called. */
export function validateMatchConditions(
  conditions: readonly MatchCondition[] | undefined,
  path: FieldPath,
  hasParams: boolean,
): readonly field.FieldError[] {
  const list = conditions ?? []
  const names = list.map(({ name }) => name)
  return [
    ...(list.length > mostConditions ? [field.tooMany(path, list.length, mostConditions)] : []),
    ...list.flatMap((condition, i) => [
      ...validateMatchCondition(condition, path.index(i), hasParams),
      ...(condition.name !== '' && names.indexOf(condition.name) < i
        ? [field.duplicate(path.index(i).child('name'), condition.name)]
        : []),
    ]),
  ]
}

function validateMatchCondition(
  { name, expression }: MatchCondition,
  path: FieldPath,
  hasParams: boolean,
): readonly field.FieldError[] {
  const trimmed = expression.trim()
  const namePath = path.child('name')
  return [
    ...(trimmed === ''
      ? [field.required(path.child('expression'))]
      : validateExpression(trimmed, path.child('expression'), { use: 'match condition', hasParams, variables: [] })),
    ...(name === '' ? [field.required(namePath)] : field.invalidForEach(namePath, name, labelKey(name))),
  ]
}
