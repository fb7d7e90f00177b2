import { enumeration, list, oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { ReinvocationPolicyType } from '../v1/failure-policy.js'
import type { MatchResources } from './match-resources.js'

export const FailurePolicyType = openEnumeration('admissionregistration/v1beta1.FailurePolicyType', ['Ignore', 'Fail'])
export type FailurePolicyType = Values<typeof FailurePolicyType>

export const PatchType = enumeration('admissionregistration/v1beta1.PatchType', ['ApplyConfiguration', 'JSONPatch'])
export type PatchType = Values<typeof PatchType>

export const MutatingAdmissionPolicy = kind('admissionregistration/v1beta1.MutatingAdmissionPolicy', {
  optional: {
    metadata: objectMetadata,
    spec: ref<MutatingAdmissionPolicySpec>(2, 'admissionregistration/v1beta1.MutatingAdmissionPolicySpec', {
      always: true,
    }),
  },
  listed: true,
})
export interface MutatingAdmissionPolicy extends Instance<typeof MutatingAdmissionPolicy> {}

export const MutatingAdmissionPolicySpec = schema('admissionregistration/v1beta1.MutatingAdmissionPolicySpec', {
  optional: {
    paramKind: ref<ParamKind>(1, 'admissionregistration/v1beta1.ParamKind'),
    matchConstraints: ref<MatchResources>(2, 'admissionregistration/v1beta1.MatchResources'),
    variables: list(3, ref<Variable>('admissionregistration/v1beta1.Variable')),
    mutations: list(4, ref<Mutation>('admissionregistration/v1beta1.Mutation')),
    failurePolicy: oneOf(5, FailurePolicyType, { default: 'Fail', keepZero: true }),
    matchConditions: list(6, ref<MatchCondition>('admissionregistration/v1beta1.MatchCondition'), {
      keys: ['name'],
      mergeKey: 'name',
    }),
    reinvocationPolicy: oneOf(7, ReinvocationPolicyType),
  },
})
export interface MutatingAdmissionPolicySpec extends Infer<typeof MutatingAdmissionPolicySpec> {}

export const MatchCondition = schema('admissionregistration/v1beta1.MatchCondition', {
  required: {
    name: string(1),
    expression: string(2),
  },
})
export interface MatchCondition extends Infer<typeof MatchCondition> {}

export const Mutation = schema('admissionregistration/v1beta1.Mutation', {
  required: {
    patchType: oneOf(2, PatchType),
  },
  optional: {
    applyConfiguration: ref<ApplyConfiguration>(3, 'admissionregistration/v1beta1.ApplyConfiguration'),
    jsonPatch: ref<JSONPatch>(4, 'admissionregistration/v1beta1.JSONPatch'),
  },
})
export interface Mutation extends Infer<typeof Mutation> {}

export const ApplyConfiguration = schema('admissionregistration/v1beta1.ApplyConfiguration', {
  optional: {
    expression: string(1),
  },
})
export interface ApplyConfiguration extends Infer<typeof ApplyConfiguration> {}

export const JSONPatch = schema('admissionregistration/v1beta1.JSONPatch', {
  optional: {
    expression: string(1),
  },
})
export interface JSONPatch extends Infer<typeof JSONPatch> {}

export const ParamKind = schema('admissionregistration/v1beta1.ParamKind', {
  optional: {
    apiVersion: string(1),
    kind: string(2),
  },
  atomic: true,
})
export interface ParamKind extends Infer<typeof ParamKind> {}

export const Variable = schema('admissionregistration/v1beta1.Variable', {
  required: {
    name: string(1),
    expression: string(2),
  },
  atomic: true,
})
export interface Variable extends Infer<typeof Variable> {}
