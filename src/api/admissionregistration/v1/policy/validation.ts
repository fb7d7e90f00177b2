/** Validates the common fields of validating and mutating policies and their bindings. */
import * as field from '../../../../schema/field-errors.js'
import type { FieldPath } from '../../../../schema/field-path.js'
import { dns1035Label, dnsSubdomain, pathSegment } from '../../../../schema/names.js'
import { validateLabelSelector } from '../../../selectors/label-selector-validation.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import type { ParamKind, ParamRef, Variable } from '../parameters.js'
import { failurePolicies } from '../webhook/validation.js'
import { validateExpression } from './expression-validation.js'

export function validateParamKind(
  { apiVersion = '', kind = '' }: ParamKind,
  path: FieldPath,
): readonly field.FieldError[] {
  const kindPath = path.child('kind')
  const messages = kind === '' ? [] : dns1035Label(kind.toLowerCase())
  return [
    ...validateApiVersion(apiVersion, path.child('apiVersion')),
    ...(kind === '' ? [field.required(kindPath)] : []),
    ...(messages.length > 0
      ? [field.invalid(kindPath, kind, `may have mixed case, but should otherwise match: ${messages.join(',')}`)]
      : []),
  ]
}

function validateApiVersion(apiVersion: string, path: FieldPath): readonly field.FieldError[] {
  if (apiVersion === '') return [field.required(path)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) return [field.invalid(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  const group = parts.length === 2 ? parts[0]! : ''
  const version = parts.at(-1)!
  const groupMessages = group === '' ? [] : dnsSubdomain(group)
  const versionMessages = version === '' ? [] : dns1035Label(version)
  return [
    ...(groupMessages.length > 0 ? [field.invalid(path, group, groupMessages.join(','))] : []),
    ...(version === '' ? [field.invalid(path, apiVersion, 'version must be specified')] : []),
    ...(versionMessages.length > 0 ? [field.invalid(path, version, versionMessages.join(','))] : []),
  ]
}

/** Each variable can use those before it. */
export function validateVariables(
  variables: readonly Variable[] | undefined,
  path: FieldPath,
  hasParams: boolean,
): readonly field.FieldError[] {
  const list = variables ?? []
  return list.flatMap(({ name, expression }, i) => [
    ...validateVariableName(name, path.index(i).child('name')),
    ...(expression.trim() === ''
      ? [field.required(path.index(i).child('expression'), 'expression is not specified')]
      : validateExpression(expression, path.index(i).child('expression'), {
          use: 'variable',
          hasParams,
          variables: list.slice(0, i),
        })),
  ])
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)

function validateVariableName(name: string, path: FieldPath): readonly field.FieldError[] {
  if (name.trim() === '') return [field.required(path, 'name is not specified')]
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name)) return field.none
  return [field.invalid(path, name, 'must be a valid CEL identifier')]
}

export function validatePolicyName(name: string | undefined, path: FieldPath): readonly field.FieldError[] {
  return name ? field.invalidForEach(path, name, dnsSubdomain(name)) : [field.required(path)]
}

const exclusive = 'name and selector are mutually exclusive'

/** Validates a parameter reference: one object by name, or objects by selector. */
export function validateParamRef(ref: ParamRef, path: FieldPath): readonly field.FieldError[] {
  const { name = '', selector } = ref
  const errors: field.FieldError[] = []
  if (name !== '') errors.push(...field.invalidForEach(path.child('name'), name, pathSegment(name)))
  if (name !== '' && selector) errors.push(field.forbidden(path.child('name'), exclusive))
  errors.push(...validateLabelSelector(selector, path.child('selector')))
  if (name !== '' && selector) errors.push(field.forbidden(path.child('selector'), exclusive))
  if (name === '' && !selector) errors.push(field.required(path, 'one of name or selector must be specified'))
  errors.push(...validateNotFoundAction(ref.parameterNotFoundAction, path.child('parameterNotFoundAction')))
  return errors
}

function validateNotFoundAction(action: string | undefined, path: FieldPath): readonly field.FieldError[] {
  const actions = ['Deny', 'Allow']
  if (!action) return [field.required(path)]
  return actions.includes(action) ? field.none : [field.notSupported(path, action, actions)]
}

/** Formats the parameter kind of a policy for tables. */
export function paramKindCell(kind: ParamKind | undefined): string {
  return kind ? `${kind.apiVersion ?? ''}/${kind.kind ?? ''}` : '<unset>'
}

export function validateFailurePolicy(policy: string | undefined, path: FieldPath): readonly field.FieldError[] {
  return policy === undefined ? [field.required(path)] : validateOptionalChoice(policy, path, failurePolicies)
}
