/** Validates the success policy of a job. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { ValueError } from '../../../../schema/value-error.js'
import { validateNotNegative } from '../../../validation/numbers.js'
import type { JobSpec } from '../job.js'
import { countIndexes } from './indexes.js'
import type { SuccessPolicy, SuccessPolicyRule } from './pod-failure-policy.js'

const maximumRules = 20
const maximumIndexes = 64 * 1024

export function validateSuccessPolicy(
  policy: SuccessPolicy,
  { completionMode, completions = 0 }: JobSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  if (completionMode !== 'Indexed')
    return [field.invalid(path, successPolicyShown(policy), 'requires indexed completion mode')]
  const rulesPath = path.child('rules')
  const rules = policy.rules ?? []
  const missing = 'at least one rules must be specified when the successPolicy is specified'
  return [
    ...(rules.length === 0 ? [field.required(rulesPath, missing)] : []),
    ...(rules.length > maximumRules ? [field.tooMany(rulesPath, rules.length, maximumRules)] : []),
    ...rules.flatMap((rule, i) => validateRule(rule, completions, rulesPath.index(i))),
  ]
}

function validateRule(rule: SuccessPolicyRule, completions: number, path: FieldPath): readonly field.FieldError[] {
  const { succeededIndexes, succeededCount } = rule
  if (succeededIndexes === undefined && succeededCount === undefined)
    return [field.required(path, 'at least one of succeededCount or succeededIndexes must be specified')]
  const listed = listedIndexes(succeededIndexes, completions, path.child('succeededIndexes'))
  if (succeededCount === undefined) return listed.errors
  const countPath = path.child('succeededCount')
  const atMost = (most: number, what: string) =>
    succeededCount <= most
      ? []
      : [field.invalid(countPath, succeededCount, `must be less than or equal to ${most} (${what})`)]
  return [
    ...listed.errors,
    ...validateNotNegative(succeededCount, countPath),
    ...atMost(completions, 'the number of specified completions'),
    ...(succeededIndexes === undefined
      ? []
      : atMost(listed.count, 'the number of indexes in the specified succeededIndexes field')),
  ]
}

interface ListedIndexes {
  readonly count: number
  readonly errors: readonly field.FieldError[]
}

/** Malformed indexes count as none. */
function listedIndexes(indexes: string | undefined, completions: number, path: FieldPath): ListedIndexes {
  if (indexes === undefined) return { count: 0, errors: field.none }
  const errors = Buffer.byteLength(indexes) > maximumIndexes ? [field.tooLong(path, maximumIndexes)] : []
  try {
    return { count: countIndexes(indexes, completions), errors }
  } catch (error) {
    if (!(error instanceof ValueError)) throw error
    const wrong = field.invalid(path, indexes, `error parsing succeededIndexes: ${error.message}`)
    return { count: 0, errors: [...errors, wrong] }
  }
}

/** With the field names of upstream's internal types, for messages. */
export function successPolicyShown(policy: SuccessPolicy | undefined): object | null {
  if (!policy) return null
  return {
    Rules:
      policy.rules?.map(({ succeededIndexes, succeededCount }) => ({
        SucceededIndexes: succeededIndexes ?? null,
        SucceededCount: succeededCount ?? null,
      })) ?? null,
  }
}
