import { int64, list, oneOf, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { StatusReason } from '../../meta/v1/status.js'
import { FailurePolicyType } from './failure-policy.js'
import type { MatchCondition, MatchResources } from './match-resources.js'
import type { ParamKind, Variable } from './parameters.js'

export const ValidatingAdmissionPolicy = kind('admissionregistration/v1.ValidatingAdmissionPolicy', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ValidatingAdmissionPolicySpec>(2, 'admissionregistration/v1.ValidatingAdmissionPolicySpec', {
      always: true,
    }),
    status: ref<ValidatingAdmissionPolicyStatus>(3, 'admissionregistration/v1.ValidatingAdmissionPolicyStatus', {
      always: true,
    }),
  },
  resource: {
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('Validations', { type: 'integer' }), column('ParamKind'), ageColumn],
  },
})
export interface ValidatingAdmissionPolicy extends Instance<typeof ValidatingAdmissionPolicy> {}

export const ValidatingAdmissionPolicySpec = schema('admissionregistration/v1.ValidatingAdmissionPolicySpec', {
  optional: {
    paramKind: ref<ParamKind>(1, 'admissionregistration/v1.ParamKind'),
    matchConstraints: ref<MatchResources>(2, 'admissionregistration/v1.MatchResources'),
    validations: list(3, ref<Validation>('admissionregistration/v1.Validation')),
    failurePolicy: oneOf(4, FailurePolicyType, { default: 'Fail', keepZero: true }),
    auditAnnotations: list(5, ref<AuditAnnotation>('admissionregistration/v1.AuditAnnotation')),
    matchConditions: list(6, ref<MatchCondition>('admissionregistration/v1.MatchCondition'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    variables: list(7, ref<Variable>('admissionregistration/v1.Variable'), { keys: ['name'], mergeKey: 'name' }),
  },
})
export interface ValidatingAdmissionPolicySpec extends Infer<typeof ValidatingAdmissionPolicySpec> {}

export const AuditAnnotation = schema('admissionregistration/v1.AuditAnnotation', {
  required: {
    key: string(1),
    valueExpression: string(2),
  },
})
export interface AuditAnnotation extends Infer<typeof AuditAnnotation> {}

export const Validation = schema('admissionregistration/v1.Validation', {
  required: {
    expression: string(1),
  },
  optional: {
    message: string(2),
    reason: oneOf(3, StatusReason, { keepZero: true }),
    messageExpression: string(4),
  },
})
export interface Validation extends Infer<typeof Validation> {}

export const ValidatingAdmissionPolicyStatus = schema('admissionregistration/v1.ValidatingAdmissionPolicyStatus', {
  optional: {
    observedGeneration: int64(1),
    typeChecking: ref<TypeChecking>(2, 'admissionregistration/v1.TypeChecking'),
    conditions: list(3, ref<Condition>('meta/v1.Condition'), { keys: ['type'] }),
  },
})
export interface ValidatingAdmissionPolicyStatus extends Infer<typeof ValidatingAdmissionPolicyStatus> {}

export const TypeChecking = schema('admissionregistration/v1.TypeChecking', {
  optional: {
    expressionWarnings: list(1, ref<ExpressionWarning>('admissionregistration/v1.ExpressionWarning')),
  },
})
export interface TypeChecking extends Infer<typeof TypeChecking> {}

export const ExpressionWarning = schema('admissionregistration/v1.ExpressionWarning', {
  required: {
    fieldRef: string(2),
    warning: string(3),
  },
})
export interface ExpressionWarning extends Infer<typeof ExpressionWarning> {}
