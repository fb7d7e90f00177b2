/** Validates which requests a webhook or policy matches. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { pathSegment } from '../../../../schema/names.js'
import { isEmptyValue } from '../../../../schema/zero.js'
import type { LabelSelector } from '../../../meta/v1/label-selector.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import { validateChoice, validateOptionalChoice } from '../../../validation/choices.js'
import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from '../match-resources.js'

export const matchPolicies = ['Equivalent', 'Exact']
const operations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const scopes = ['*', 'Cluster', 'Namespaced']

export function validateRule(rule: RuleWithOperations, path: FieldPath): readonly field.FieldError[] {
  const given: readonly string[] = rule.operations ?? []
  const operationsPath = path.child('operations')
  return [
    ...validateWildcard(given, operationsPath, 'operations'),
    ...given.flatMap((operation, i) => validateOptionalChoice(operation, operationsPath.index(i), operations)),
    ...validateWildcard(rule.apiGroups ?? [], path.child('apiGroups'), 'API groups'),
    ...validateVersions(rule.apiVersions ?? [], path.child('apiVersions')),
    ...validateResources(rule.resources ?? [], path.child('resources')),
    ...validateOptionalChoice(rule.scope, path.child('scope'), scopes),
  ]
}

/** Requires at least one value, and no other value beside `*`. */
export function validateWildcard(
  given: readonly string[],
  path: FieldPath,
  nouns: string,
): readonly field.FieldError[] {
  if (given.length === 0) return [field.required(path)]
  if (given.length === 1 || !given.includes('*')) return field.none
  return [field.invalid(path, given, `if '*' is present, must not specify other ${nouns}`)]
}

export function validateVersions(versions: readonly string[], path: FieldPath): readonly field.FieldError[] {
  return [...validateWildcard(versions, path, 'API versions'), ...missing(versions, path)]
}

function missing(list: readonly string[], path: FieldPath): readonly field.FieldError[] {
  return list.flatMap((text, i) => (text === '' ? [field.required(path.index(i))] : []))
}

function validateResources(resources: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (resources.length === 0) return [field.required(path)]
  const errors: field.FieldError[] = resources.flatMap((resource, i) =>
    resource === '' ? [field.required(path.index(i))] : validateSubresource(resources, i, path.index(i)),
  )
  if (resources.length > 1 && resources.includes('*/*'))
    errors.push(field.invalid(path, resources, "if '*/*' is present, must not specify other resources"))
  const last = resources.filter((resource) => resource !== '' && !resource.includes('/')).at(-1)
  if (resources.includes('*') && last !== undefined && last !== '*')
    errors.push(
      field.invalid(path, resources, "if '*' is present, must not specify other resources without subresources"),
    )
  return errors
}

/** Rejects a resource that an earlier wildcard already includes. */
function validateSubresource(
  resources: readonly string[],
  index: number,
  path: FieldPath,
): readonly field.FieldError[] {
  const given = resources[index]!
  const slash = given.indexOf('/')
  if (slash < 0) return field.none
  const before = resources.slice(0, index)
  const covering = [`${given.slice(0, slash)}/*`, `*/${given.slice(slash + 1)}`]
  return covering
    .filter((wildcard) => before.includes(wildcard))
    .map((wildcard) => field.invalid(path, given, `if '${wildcard}' is present, must not specify ${given}`))
}

export function validateMatchResources(match: MatchResources, path: FieldPath): readonly field.FieldError[] {
  return [
    ...(match.matchPolicy === undefined
      ? [field.required(path.child('matchPolicy'))]
      : validateChoice(match.matchPolicy, path.child('matchPolicy'), matchPolicies)),
    ...validateSelector(match.namespaceSelector, path.child('namespaceSelector')),
    ...validateSelector(match.objectSelector, path.child('objectSelector')),
    ...validateNamedRules(match.resourceRules, path.child('resourceRules')),
    ...validateNamedRules(match.excludeResourceRules, path.child('excludeResourceRules')),
  ]
}

function validateSelector(selector: LabelSelector | undefined, path: FieldPath): readonly field.FieldError[] {
  return selector ? validateLabelSelector(selector, path) : [field.required(path)]
}

function validateNamedRules(
  rules: readonly NamedRuleWithOperations[] | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  return (rules ?? []).flatMap((rule, i) => [
    ...validateResourceNames(rule.resourceNames ?? [], path.index(i).child('resourceNames')),
    ...validateRule(rule, path.index(i)),
  ])
}

function validateResourceNames(names: readonly string[], path: FieldPath): readonly field.FieldError[] {
  return names.flatMap((name, i) => [
    ...field.invalidForEach(path.index(i), name, pathSegment(name)),
    ...(names.indexOf(name) < i ? [field.duplicate(path.index(i), name)] : []),
  ])
}

/** A policy must list resources, because its expressions are checked against their types. */
export function validateMatchConstraints(
  match: MatchResources | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  if (!match) return [field.required(path)]
  return [
    ...validateMatchResources(match, path),
    ...(isEmptyValue(match.resourceRules) ? [field.required(path.child('resourceRules'))] : []),
  ]
}

/** Rejects DELETE for mutating policies. */
export function validateMutableOperations(
  match: MatchResources | undefined,
  path: FieldPath,
): readonly field.FieldError[] {
  const supported = operations.filter((operation) => operation !== 'DELETE')
  const operationsPath = path.child('resourceRules', 'operations')
  return (match?.resourceRules ?? [])
    .flatMap((rule) => rule.operations ?? [])
    .flatMap((operation) => validateOptionalChoice(operation, operationsPath, supported))
}
