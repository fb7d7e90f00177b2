import * as field from '../../../schema/field-errors.js'
import { fieldPath } from '../../../schema/field-path.js'
import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { immutable } from '../../validation/immutability.js'
import { PriorityClass } from './priority-class.js'

/** Higher values are reserved for system components. */
const highestUserPriority = 1_000_000_000
const systemPrefix = 'system-'

/** The values of the system classes, which are never the default. */
export const systemPriorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
}

export const priorityClassTable = declareTable<PriorityClass>(PriorityClass, {
  Value: ({ value }) => value,
  'Global-Default': ({ globalDefault = false }) => globalDefault,
  PreemptionPolicy: ({ preemptionPolicy = '' }) => preemptionPolicy,
})

export const priorityClassStrategy = declareStrategy<PriorityClass>(PriorityClass, {
  intent: () => [],
  validate: validatePriorityClass,
  validateUpdate: validatePriorityClassUpdate,
})

function validatePriorityClass(priorityClass: PriorityClass): readonly field.FieldError[] {
  return [...validateWorth(priorityClass), ...validatePreemption(priorityClass)]
}

function validateWorth({ metadata, value, globalDefault = false }: PriorityClass): readonly field.FieldError[] {
  const { name = '' } = metadata
  if (name.startsWith(systemPrefix)) {
    const problem = systemProblem(name, value, globalDefault)
    if (problem === undefined) return field.none
    const words = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${problem}`
    return [field.forbidden(fieldPath('metadata', 'name'), words)]
  }
  if (value <= highestUserPriority) return field.none
  return [
    field.forbidden(fieldPath('value'), `maximum allowed value of a user defined priority is ${highestUserPriority}`),
  ]
}

function systemProblem(name: string, value: number, globalDefault: boolean): string | undefined {
  if (!Object.hasOwn(systemPriorities, name)) return `${name} is not a known system priority class`
  if (value !== systemPriorities[name]) return `value of ${name} PriorityClass must be ${systemPriorities[name]}`
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined
}

function validatePreemption({ preemptionPolicy }: PriorityClass): readonly field.FieldError[] {
  const policies: readonly string[] = ['PreemptLowerPriority', 'Never']
  if (preemptionPolicy === undefined || policies.includes(preemptionPolicy)) return field.none
  const path = fieldPath('preemptionPolicy')
  return [
    (preemptionPolicy as string) === '' ? field.required(path) : field.notSupported(path, preemptionPolicy, policies),
  ]
}

/** The value is immutable, because pods have copies of it. */
function validatePriorityClassUpdate(priorityClass: PriorityClass, old: PriorityClass): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (priorityClass.value !== old.value)
    errors.push(field.forbidden(fieldPath('value'), 'may not be changed in an update.'))
  if (priorityClass.preemptionPolicy !== old.preemptionPolicy)
    errors.push(field.invalid(fieldPath('preemptionPolicy'), priorityClass.preemptionPolicy, immutable))
  return errors
}
