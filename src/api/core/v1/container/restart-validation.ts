/** Validates the restart policy and the restart rules of a container. */
import type { FieldError } from '../../../../schema/field-errors.js'
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import type { Container, ContainerRestartRule } from '../container.js'

type Restarted = Pick<Container, 'restartPolicy' | 'restartPolicyRules'>

const policies = ['Always', 'Never', 'OnFailure'] as const
const ruleActions = ['Restart', 'RestartAllContainers'] as const
const operators = ['In', 'NotIn'] as const
const mostRules = 20
const mostExitCodes = 255

const policyIsMissing = 'must specify restartPolicy when restart rules are used'

/** Validates the restart policy and rules of a main container. */
export function validateRestarts(container: Restarted, path: FieldPath): readonly FieldError[] {
  const { restartPolicy, restartPolicyRules = [] } = container
  if (restartPolicy === undefined) {
    if (restartPolicyRules.length === 0) return field.none
    return [field.required(path.child('restartPolicy'), policyIsMissing), ...validateRules(restartPolicyRules, path)]
  }
  return [
    ...validateOptionalChoice(restartPolicy, path.child('restartPolicy'), policies),
    ...validateRules(restartPolicyRules, path),
  ]
}

/** Validates the restart policy of an init container, and its rules if it has a policy. */
export function validateInitRestarts(container: Restarted, path: FieldPath): readonly FieldError[] {
  if (container.restartPolicy !== undefined) return validateRestarts(container, path)
  if (!container.restartPolicyRules?.length) return field.none
  return [field.required(path.child('restartPolicy'), policyIsMissing)]
}

function validateRules(rules: readonly ContainerRestartRule[], path: FieldPath): readonly FieldError[] {
  const at = path.child('restartPolicyRules')
  const errors = rules.flatMap((rule, i) => validateRule(rule, at.index(i)))
  return rules.length > mostRules ? [field.tooMany(at, rules.length, mostRules), ...errors] : errors
}

function validateRule({ action, exitCodes }: ContainerRestartRule, path: FieldPath): readonly FieldError[] {
  const errors = [...validateOptionalChoice(action ?? '', path.child('action'), ruleActions)]
  const at = path.child('exitCodes')
  if (!exitCodes) return [...errors, field.required(at, 'must be specified')]
  const { operator, values = [] } = exitCodes
  errors.push(...validateOptionalChoice(operator ?? '', at.child('operator'), operators))
  if (values.length > mostExitCodes) errors.push(field.tooMany(at.child('values'), values.length, mostExitCodes))
  return errors
}
