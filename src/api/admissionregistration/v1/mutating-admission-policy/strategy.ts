import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { validateChoice } from '../../../validation/choices.js'
import { isSame } from '../../../validation/immutability.js'
import {
  MutatingAdmissionPolicy,
  type MutatingAdmissionPolicySpec,
  type Mutation,
} from '../mutating-admission-policy.js'
import { type ExpressionUse, validateExpression } from '../policy/expression-validation.js'
import { validateMatchConditions } from '../policy/match-condition-validation.js'
import { validateMatchConstraints, validateMutableOperations } from '../policy/match-resources-validation.js'
import { paramKindCell, validateFailurePolicy, validateParamKind, validateVariables } from '../policy/validation.js'
import { reinvocationPolicies } from '../webhook/validation.js'

const specPath = fieldPath('spec')

export const mutatingAdmissionPolicyTable = declareTable<MutatingAdmissionPolicy>(MutatingAdmissionPolicy, {
  Mutations: ({ spec }) => spec.mutations?.length ?? 0,
  ParamKind: ({ spec }) => paramKindCell(spec.paramKind),
})

export const mutatingAdmissionPolicyStrategy = declareStrategy<MutatingAdmissionPolicy>(MutatingAdmissionPolicy, {
  plainFinalizers: true,
  intent: ({ spec }) => [spec],
  updatedUnconditionally: false,
  validate: ({ spec }) => validatePolicy(spec, undefined),
  validateUpdate: ({ spec }, old) => validatePolicy(spec, old.spec),
})

function validatePolicy(
  spec: MutatingAdmissionPolicySpec,
  old: MutatingAdmissionPolicySpec | undefined,
): readonly field.FieldError[] {
  const { paramKind, matchConstraints, matchConditions } = spec
  const sameConditions =
    old !== undefined && isSame(paramKind, old.paramKind) && isSame(matchConditions, old.matchConditions)
  const hasParams = paramKind !== undefined
  return [
    ...validateFailurePolicy(spec.failurePolicy, specPath.child('failurePolicy')),
    ...(paramKind ? validateParamKind(paramKind, specPath.child('paramKind')) : []),
    ...validateMatchConstraints(matchConstraints, specPath.child('matchConstraints')),
    ...validateMutableOperations(matchConstraints, specPath.child('matchConstraints')),
    ...(sameConditions ? [] : validateMatchConditions(matchConditions, specPath.child('matchConditions'), hasParams)),
    ...validateVariables(spec.variables, specPath.child('variables'), hasParams),
    ...validateMutations(spec, specPath.child('mutations')),
    ...validateChoice(spec.reinvocationPolicy, specPath.child('reinvocationPolicy'), reinvocationPolicies),
  ]
}

function validateMutations(spec: MutatingAdmissionPolicySpec, path: FieldPath): readonly field.FieldError[] {
  const mutations = spec.mutations ?? []
  if (mutations.length === 0) return [field.required(path, 'mutations must contain at least one item')]
  return mutations.flatMap((mutation, i) => validateMutation(mutation, path.index(i), spec))
}

/** By patch type: its field, and the field that must be absent. */
const patchFields = {
  ApplyConfiguration: { own: 'applyConfiguration', other: 'jsonPatch', use: 'apply configuration' },
  JSONPatch: { own: 'jsonPatch', other: 'applyConfiguration', use: 'json patch' },
} as const satisfies Record<string, { own: keyof Mutation; other: keyof Mutation; use: ExpressionUse }>

function validateMutation(
  mutation: Mutation,
  path: FieldPath,
  spec: MutatingAdmissionPolicySpec,
): readonly field.FieldError[] {
  const { patchType } = mutation
  const wrongType = validateChoice(patchType, path.child('patchType'), Object.keys(patchFields))
  if (wrongType.length > 0) return wrongType
  const { own, other, use } = patchFields[patchType]
  const patch = mutation[own]
  const context = { use, hasParams: spec.paramKind !== undefined, variables: spec.variables ?? [] }
  return [
    ...(patch
      ? validatePatch(patch.expression, path.child(own, 'expression'), context)
      : [field.required(path.child(own), `must be specified when patchType is ${patchType}`)]),
    ...(mutation[other]
      ? [field.invalid(path.child(other), `{${other}}`, `must not be specified when patchType is ${patchType}`)]
      : []),
  ]
}

function validatePatch(
  expression: string | undefined,
  path: FieldPath,
  context: Parameters<typeof validateExpression>[2],
): readonly field.FieldError[] {
  const trimmed = (expression ?? '').trim()
  return trimmed === '' ? [field.required(path)] : validateExpression(trimmed, path, context)
}
