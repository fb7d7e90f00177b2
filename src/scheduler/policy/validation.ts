import * as field from '../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../schema/field-path.js'
import { validateShape } from '../plugins/node-resources/arguments.js'
import type { PredicatePolicy, PriorityPolicy, SchedulerPolicy } from './declarations.js'
import { predicates } from './predicates.js'
import { priorities } from './priorities.js'

type Errors = readonly field.FieldError[]

/** Weighted scores must fit into 32 bits. */
const maxWeight = Math.floor((2 ** 31 - 1) / 100)

/** Without the extenders. */
export function validatePolicy(policy: SchedulerPolicy): Errors {
  const { predicates: filters = [], priorities: scores = [], hardPodAffinitySymmetricWeight: weight = 0 } = policy
  const weightPath = fieldPath('hardPodAffinitySymmetricWeight')
  return [
    ...filters.flatMap((predicate, i) => validatePredicate(predicate, fieldPath('predicates').index(i))),
    ...scores.flatMap((priority, i) => validatePriority(priority, fieldPath('priorities').index(i))),
    ...(weight >= 0 && weight <= 100 ? [] : [field.invalid(weightPath, weight, 'not in valid range [0-100]')]),
  ]
}

function validatePredicate({ name, argument }: PredicatePolicy, path: FieldPath): Errors {
  if (!argument) return predicates.has(name) ? [] : [field.notFound(path.child('name'), name)]
  return validateOneArgument(argument, 'predicate', path)
}

function validatePriority({ name, weight = 0, argument }: PriorityPolicy, path: FieldPath): Errors {
  const isValid = weight > 0 && weight < maxWeight
  const why = 'should have a positive weight applied to it or it has overflown'
  return [
    ...(isValid ? [] : [field.invalid(path.child('weight'), weight, why)]),
    ...(argument ? validateArgument(argument, path) : []),
    ...(argument || priorities.has(name) ? [] : [field.notFound(path.child('name'), name)]),
  ]
}

function validateArgument(argument: NonNullable<PriorityPolicy['argument']>, path: FieldPath): Errors {
  const { requestedToCapacityRatioArguments: ratio } = argument
  const at = path.child('argument', 'requestedToCapacityRatioArguments', 'shape')
  return [...validateOneArgument(argument, 'priority', path), ...(ratio ? validateShape(ratio.shape ?? [], at) : [])]
}

function validateOneArgument(argument: object, what: string, path: FieldPath): Errors {
  const count = Object.keys(argument).length
  if (count === 1) return field.none
  return [field.invalid(path.child('argument'), argument, `exactly 1 ${what} argument is required, numArgs: ${count}`)]
}
