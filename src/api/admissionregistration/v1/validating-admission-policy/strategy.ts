import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import type { Draft } from '../../../../schema/infer.js'
import { labelKey } from '../../../../schema/label-names.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { keepMetadata } from '../../../metadata/status-metadata.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validateConditions } from '../../../validation/conditions.js'
import { isSame } from '../../../validation/immutability.js'
import { type ExpressionContext, validateExpression } from '../policy/expression-validation.js'
import { validateMatchConditions } from '../policy/match-condition-validation.js'
import { validateMatchConstraints } from '../policy/match-resources-validation.js'
import { paramKindCell, validateFailurePolicy, validateParamKind, validateVariables } from '../policy/validation.js'
import {
  type AuditAnnotation,
  ValidatingAdmissionPolicy,
  type ValidatingAdmissionPolicySpec,
  type ValidatingAdmissionPolicyStatus,
  type Validation,
} from '../validating-admission-policy.js'

const specPath = fieldPath('spec')
const mostAnnotations = 20
const longestAnnotation = 5 * 1024

export const validatingAdmissionPolicyTable = declareTable<ValidatingAdmissionPolicy>(ValidatingAdmissionPolicy, {
  Validations: ({ spec }) => spec.validations?.length ?? 0,
  ParamKind: ({ spec }) => paramKindCell(spec.paramKind),
})

export const validatingAdmissionPolicyStrategy = declareStrategy<ValidatingAdmissionPolicy>(ValidatingAdmissionPolicy, {
  plainFinalizers: true,
  intent: ({ spec }) => [spec],
  updatedUnconditionally: false,
  validate: (policy) => validatePolicy(policy, undefined),
  validateUpdate: (policy, old) => validatePolicy(policy, old.spec),
  subresources: {
    status: {
      prepareUpdate(draft, old) {
        draft.spec = old.spec as Draft<ValidatingAdmissionPolicySpec>
        keepMetadata(draft, old)
      },
      validateUpdate: ({ status }) => validateStatus(status),
    },
  },
})

/** Unchanged match conditions are not validated again, unless something that they use has changed. */
function validatePolicy(
  { metadata, spec }: ValidatingAdmissionPolicy,
  old: ValidatingAdmissionPolicySpec | undefined,
): readonly field.FieldError[] {
  const { paramKind, matchConditions } = spec
  const sameConditions =
    old !== undefined && isSame(paramKind, old.paramKind) && isSame(matchConditions, old.matchConditions)
  const hasParams = paramKind !== undefined
  return [
    ...validateFailurePolicy(spec.failurePolicy, specPath.child('failurePolicy')),
    ...(paramKind ? validateParamKind(paramKind, specPath.child('paramKind')) : []),
    ...validateMatchConstraints(spec.matchConstraints, specPath.child('matchConstraints')),
    ...(sameConditions ? [] : validateMatchConditions(matchConditions, specPath.child('matchConditions'), hasParams)),
    ...validateVariables(spec.variables, specPath.child('variables'), hasParams),
    ...validateOutcomes(spec, metadata.name ?? ''),
  ]
}

function validateOutcomes(spec: ValidatingAdmissionPolicySpec, name: string): readonly field.FieldError[] {
  const validations = spec.validations ?? []
  const annotations = spec.auditAnnotations ?? []
  if (validations.length === 0 && annotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item'
    return [
      field.required(specPath.child('validations'), detail),
      field.required(specPath.child('auditAnnotations'), detail),
    ]
  }
  return [
    ...validations.flatMap((one, i) => validateValidation(one, specPath.child('validations').index(i), spec)),
    ...validateAnnotations(annotations, name, spec),
  ]
}

function contextOf(use: ExpressionContext['use'], spec: ValidatingAdmissionPolicySpec): ExpressionContext {
  return { use, hasParams: spec.paramKind !== undefined, variables: spec.variables ?? [] }
}

function validateValidation(
  { expression, message = '', messageExpression = '', reason }: Validation,
  path: FieldPath,
  spec: ValidatingAdmissionPolicySpec,
): readonly field.FieldError[] {
  return [
    ...(expression.trim() === ''
      ? [field.required(path.child('expression'), 'expression is not specified')]
      : validateExpression(expression, path.child('expression'), contextOf('validation', spec))),
    ...(messageExpression === '' ? [] : validateMessageExpression(messageExpression, path, spec)),
    ...validateMessage(message, path.child('message')),
    ...validateOptionalChoice(reason, path.child('reason'), ['Forbidden', 'Invalid', 'RequestEntityTooLarge']),
  ]
}

const notBlank = 'must be non-empty if specified'

function validateMessageExpression(
  expression: string,
  path: FieldPath,
  spec: ValidatingAdmissionPolicySpec,
): readonly field.FieldError[] {
  const at = path.child('messageExpression')
  if (expression.trim() === '') return [field.invalid(at, expression, notBlank)]
  return validateExpression(expression, at, contextOf('message', spec))
}

function validateMessage(message: string, path: FieldPath): readonly field.FieldError[] {
  if (message !== '' && message.trim() === '') return [field.invalid(path, message, notBlank)]
  return /[\n\r]/.test(message.trim()) ? [field.invalid(path, message, 'must not contain line breaks')] : field.none
}

/** The key of an annotation in the audit log is the name of the policy and the key here. */
function validateAnnotations(
  annotations: readonly AuditAnnotation[],
  name: string,
  spec: ValidatingAdmissionPolicySpec,
): readonly field.FieldError[] {
  const path = specPath.child('auditAnnotations')
  const keys = annotations.map(({ key }) => key)
  const shown = annotations.map(({ key, valueExpression }) => ({ Key: key, ValueExpression: valueExpression }))
  return [
    ...(annotations.length > mostAnnotations
      ? [field.invalid(path, shown, `must not have more than ${mostAnnotations} auditAnnotations`)]
      : []),
    ...annotations.flatMap((annotation, i) => [
      ...validateAnnotationKey(annotation.key, name, path.index(i).child('key')),
      ...validateAnnotationValue(annotation, path.index(i).child('valueExpression'), spec),
      ...(keys.indexOf(annotation.key) < i ? [field.duplicate(path.index(i).child('key'), annotation.key)] : []),
    ]),
  ]
}

function validateAnnotationKey(key: string, name: string, path: FieldPath): readonly field.FieldError[] {
  if (name === '') return [field.invalid(path, key, 'requires metadata.name be non-empty')]
  return field.invalidForEach(path, `${name}/${key}`, labelKey(`${name}/${key}`))
}

function validateAnnotationValue(
  { valueExpression }: AuditAnnotation,
  path: FieldPath,
  spec: ValidatingAdmissionPolicySpec,
): readonly field.FieldError[] {
  const trimmed = valueExpression.trim()
  if (trimmed === '') return [field.required(path, 'valueExpression is not specified')]
  if (Buffer.byteLength(trimmed) > longestAnnotation)
    return [field.required(path, `must not exceed ${longestAnnotation} bytes in length`)]
  return validateExpression(trimmed, path, { ...contextOf('audit annotation', spec), shown: valueExpression })
}

function validateStatus({ typeChecking, conditions }: ValidatingAdmissionPolicyStatus): readonly field.FieldError[] {
  const path = fieldPath('status')
  const warnings = path.child('typeChecking', 'expressionWarnings')
  return [
    ...(typeChecking?.expressionWarnings ?? []).flatMap(({ warning, fieldRef }, i) => [
      ...(warning === '' ? [field.required(warnings.index(i).child('warning'))] : []),
      ...(fieldRef.trim() === '' ? [field.required(warnings.index(i).child('fieldRef'))] : []),
    ]),
    ...validateConditions(conditions, path.child('conditions')),
  ]
}
