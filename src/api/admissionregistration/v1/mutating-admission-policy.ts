import { enumeration, list, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { FailurePolicyType, ReinvocationPolicyType } from './failure-policy.js'
import type { MatchCondition, MatchResources } from './match-resources.js'
import type { ParamKind, Variable } from './parameters.js'

export const PatchType = enumeration('admissionregistration/v1.PatchType', ['ApplyConfiguration', 'JSONPatch'])
export type PatchType = Values<typeof PatchType>

export const MutatingAdmissionPolicy = kind('admissionregistration/v1.MutatingAdmissionPolicy', {
  optional: {
    metadata: objectMetadata,
    spec: ref<MutatingAdmissionPolicySpec>(2, 'admissionregistration/v1.MutatingAdmissionPolicySpec', { always: true }),
  },
  resource: {
    plural: 'mutatingadmissionpolicies',
    categories: ['api-extensions'],
    columns: [nameColumn, column('Mutations', { type: 'integer' }), column('ParamKind'), ageColumn],
  },
})
export interface MutatingAdmissionPolicy extends Instance<typeof MutatingAdmissionPolicy> {}

export const MutatingAdmissionPolicySpec = schema('admissionregistration/v1.MutatingAdmissionPolicySpec', {
  optional: {
    paramKind: ref<ParamKind>(1, 'admissionregistration/v1.ParamKind'),
    matchConstraints: ref<MatchResources>(2, 'admissionregistration/v1.MatchResources'),
    variables: list(3, ref<Variable>('admissionregistration/v1.Variable')),
    mutations: list(4, ref<Mutation>('admissionregistration/v1.Mutation')),
    failurePolicy: oneOf(5, FailurePolicyType, { default: 'Fail', keepZero: true }),
    matchConditions: list(6, ref<MatchCondition>('admissionregistration/v1.MatchCondition'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    reinvocationPolicy: oneOf(7, ReinvocationPolicyType),
  },
})
export interface MutatingAdmissionPolicySpec extends Infer<typeof MutatingAdmissionPolicySpec> {}

export const Mutation = schema('admissionregistration/v1.Mutation', {
  required: {
    patchType: oneOf(2, PatchType),
  },
  optional: {
    applyConfiguration: ref<ApplyConfiguration>(3, 'admissionregistration/v1.ApplyConfiguration'),
    jsonPatch: ref<JSONPatch>(4, 'admissionregistration/v1.JSONPatch'),
  },
})
export interface Mutation extends Infer<typeof Mutation> {}

export const ApplyConfiguration = schema('admissionregistration/v1.ApplyConfiguration', {
  optional: {
    expression: string(1),
  },
})
export interface ApplyConfiguration extends Infer<typeof ApplyConfiguration> {}

export const JSONPatch = schema('admissionregistration/v1.JSONPatch', {
  optional: {
    expression: string(1),
  },
})
export interface JSONPatch extends Infer<typeof JSONPatch> {}
