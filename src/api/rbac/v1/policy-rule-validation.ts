import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { isEmptyValue } from '../../../schema/zero.js'
import type { PolicyRule } from './role.js'

const rulesPath = fieldPath('rules')

/** Validates the rules of a role. Only cluster roles can have non-resource URLs. */
export function validatePolicyRules(
  rules: readonly PolicyRule[] | undefined | null,
  namespaced: boolean,
): readonly field.FieldError[] {
  return (rules ?? []).flatMap((rule, i) => validatePolicyRule(rule, rulesPath.index(i), namespaced))
}

function validatePolicyRule(rule: PolicyRule, path: FieldPath, namespaced: boolean): readonly field.FieldError[] {
  const errors: field.FieldError[] = []
  if (isEmptyValue(rule.verbs))
    errors.push(field.required(path.child('verbs'), 'verbs must contain at least one value'))
  if (!isEmptyValue(rule.nonResourceURLs)) return [...errors, ...validateNonResourceRule(rule, path, namespaced)]
  if (isEmptyValue(rule.apiGroups))
    errors.push(field.required(path.child('apiGroups'), 'resource rules must supply at least one api group'))
  if (isEmptyValue(rule.resources))
    errors.push(field.required(path.child('resources'), 'resource rules must supply at least one resource'))
  return errors
}

function validateNonResourceRule(rule: PolicyRule, path: FieldPath, namespaced: boolean): readonly field.FieldError[] {
  const urls = path.child('nonResourceURLs')
  const errors: field.FieldError[] = []
  if (namespaced)
    errors.push(field.invalid(urls, rule.nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs'))
  if (!isEmptyValue(rule.apiGroups) || !isEmptyValue(rule.resources) || !isEmptyValue(rule.resourceNames))
    errors.push(
      field.invalid(urls, rule.nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs'),
    )
  return errors
}
