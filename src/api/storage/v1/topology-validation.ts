import type { FieldError } from '../../../schema/field-errors.js'
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { labelKey } from '../../../schema/label-names.js'
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../core/v1/affinity/node-selector.js'

/** What is wrong with the places in which volumes of a class may be made. No two terms may say the same; one that is empty may not be. */
export function checkTopologies(
  terms: readonly TopologySelectorTerm[] | undefined,
  path: FieldPath,
  errors: FieldError[],
): void {
  const seen = new Set<string>()
  terms?.forEach((term, i) => {
    const place = path.index(i).child('matchLabelExpressions')
    checkTerm(term, place, errors)
    const meaning = meaningOf(term)
    if (meaning === '') for (const _ of terms) errors.push(field.duplicate(place, ''))
    if (seen.has(meaning)) errors.push(field.duplicate(place, ''))
    seen.add(meaning)
  })
}

/** The same text for terms that choose the same. */
function meaningOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const byKey = new Map(matchLabelExpressions.map(({ key, values }) => [key, [...new Set(values ?? [])].sort()]))
  return byKey.size === 0 ? '' : JSON.stringify([...byKey].sort(([one], [other]) => (one < other ? -1 : 1)))
}

function checkTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: FieldPath, errors: FieldError[]): void {
  const keys = new Set<string>()
  matchLabelExpressions.forEach((requirement, i) => {
    checkRequirement(requirement, path.index(i), errors)
    const { key } = requirement
    if (keys.has(key)) errors.push(field.duplicate(path.index(i).child('key'), key))
    keys.add(key)
  })
}

function checkRequirement(
  { key, values }: TopologySelectorLabelRequirement,
  path: FieldPath,
  errors: FieldError[],
): void {
  const place = path.child('values')
  if (!values?.length) errors.push(field.required(place))
  values?.forEach((value, i) => {
    if (values.indexOf(value) < i) errors.push(field.duplicate(place.index(i), value))
  })
  errors.push(...field.invalidForEach(path.child('key'), key, labelKey(key)))
}
