/** Validates the pod failure policy of a job. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { quote } from '../../../../schema/quote.js'
import type { JobSpec } from '../job.js'
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
} from './pod-failure-policy.js'

const maximumRules = 20
const maximumPatterns = 20
const maximumExitCodes = 255

const actions: readonly string[] = ['Count', 'FailIndex', 'FailJob', 'Ignore']
const operators: readonly string[] = ['In', 'NotIn']
const statuses: readonly string[] = ['False', 'True', 'Unknown']

export function validatePodFailurePolicy(
  policy: PodFailurePolicy,
  spec: JobSpec,
  path: FieldPath,
): readonly field.FieldError[] {
  const rulesPath = path.child('rules')
  // A required list is null if the client omits it.
  const rules = policy.rules ?? []
  const { containers, initContainers = [] } = spec.template.spec ?? {}
  const containerNames = new Set([...(containers ?? []), ...initContainers].map(({ name }) => name))
  return [
    ...(rules.length > maximumRules ? [field.tooMany(rulesPath, rules.length, maximumRules)] : []),
    ...rules.flatMap((rule, i) => {
      const rulePath = rulesPath.index(i)
      return [
        ...validateAction(rule.action, spec, rulePath.child('action')),
        ...validateRule(rule, rulePath, containerNames),
      ]
    }),
  ]
}

function validateAction(action: string, spec: JobSpec, path: FieldPath): readonly field.FieldError[] {
  if (action !== 'FailIndex') return validateChoice(action, actions, path)
  if (spec.backoffLimitPerIndex !== undefined) return field.none
  return [field.invalid(path, action, 'requires the backoffLimitPerIndex to be set')]
}

/** Validates a required value with a fixed set of supported values. */
function validateChoice(value: string, choices: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (value === '') return [field.required(path, `valid values: [${choices.map(quote).join(' ')}]`)]
  return choices.includes(value) ? field.none : [field.notSupported(path, value, choices)]
}

function validateRule(
  { onExitCodes, onPodConditions = [] }: PodFailurePolicyRule,
  path: FieldPath,
  containerNames: ReadonlySet<string>,
): readonly field.FieldError[] {
  const hasConditions = onPodConditions.length > 0
  const errors: field.FieldError[] = []
  if (onExitCodes) errors.push(...validateExitCodes(onExitCodes, path.child('onExitCodes'), containerNames))
  if (hasConditions) errors.push(...validatePatterns(onPodConditions, path.child('onPodConditions')))
  if (onExitCodes && hasConditions)
    errors.push(field.invalid(path, field.omitted, 'specifying both OnExitCodes and OnPodConditions is not supported'))
  if (!onExitCodes && !hasConditions)
    errors.push(field.invalid(path, field.omitted, 'specifying one of OnExitCodes and OnPodConditions is required'))
  return errors
}

function validatePatterns(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: FieldPath,
): readonly field.FieldError[] {
  return [
    ...(patterns.length > maximumPatterns ? [field.tooMany(path, patterns.length, maximumPatterns)] : []),
    ...patterns.flatMap(({ type, status = '' }, i) => [
      ...field.invalidForEach(path.index(i).child('type'), type, labelKey(type)),
      ...validateChoice(status, statuses, path.index(i).child('status')),
    ]),
  ]
}

function validateExitCodes(
  requirement: PodFailurePolicyOnExitCodesRequirement,
  path: FieldPath,
  containerNames: ReadonlySet<string>,
): readonly field.FieldError[] {
  const { operator, containerName, values } = requirement
  const errors: field.FieldError[] = [...validateChoice(operator, operators, path.child('operator'))]
  if (containerName !== undefined && !containerNames.has(containerName)) {
    const why = 'must be one of the container or initContainer names in the pod template'
    errors.push(field.invalid(path.child('containerName'), containerName, why))
  }
  errors.push(...validateCodes(values ?? [], operator, path.child('values')))
  return errors
}

function validateCodes(values: readonly number[], operator: string, path: FieldPath): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (values.length === 0) errors.push(field.invalid(path, null, 'at least one value is required'))
  if (values.length > maximumExitCodes) errors.push(field.tooMany(path, values.length, maximumExitCodes))
  const seen = new Set<number>()
  for (const [i, value] of values.entries()) {
    if (operator === 'In' && value === 0)
      errors.push(field.invalid(path.index(i), value, 'must not be 0 for the In operator'))
    if (seen.has(value)) errors.push(field.duplicate(path.index(i), value))
    seen.add(value)
  }
  if (values.some((value, i) => i > 0 && values[i - 1]! > value))
    errors.push(field.invalid(path, values, 'must be ordered'))
  return errors
}

/** With the field names of upstream's internal types, for messages. */
export function podFailurePolicyShown(policy: PodFailurePolicy | undefined): object | null {
  return policy ? { Rules: policy.rules?.map(ruleShown) ?? null } : null
}

function ruleShown({ action, onExitCodes, onPodConditions }: PodFailurePolicyRule): object {
  return {
    Action: action,
    OnExitCodes: onExitCodes
      ? {
          ContainerName: onExitCodes.containerName ?? null,
          Operator: onExitCodes.operator,
          Values: onExitCodes.values,
        }
      : null,
    OnPodConditions: onPodConditions?.map(({ type, status }) => ({ Type: type, Status: status })) ?? null,
  }
}
