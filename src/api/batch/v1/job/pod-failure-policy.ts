import { enumeration, int32, list, oneOf, ref, string, type Values } from '../../../../schema/fields.js'
import type { Infer } from '../../../../schema/infer.js'
import { schema } from '../../../../schema/schema.js'
import { ConditionStatus } from '../../../core/v1/condition-status.js'
import { PodConditionType } from '../../../core/v1/pod/spec.js'

export const PodFailurePolicyOnExitCodesOperator = enumeration('batch/v1.PodFailurePolicyOnExitCodesOperator', [
  'In',
  'NotIn',
])
export type PodFailurePolicyOnExitCodesOperator = Values<typeof PodFailurePolicyOnExitCodesOperator>

export const PodFailurePolicyAction = enumeration('batch/v1.PodFailurePolicyAction', [
  'FailJob',
  'FailIndex',
  'Ignore',
  'Count',
])
export type PodFailurePolicyAction = Values<typeof PodFailurePolicyAction>

export const PodFailurePolicy = schema('batch/v1.PodFailurePolicy', {
  required: {
    rules: list(1, ref<PodFailurePolicyRule>('batch/v1.PodFailurePolicyRule')),
  },
})
export interface PodFailurePolicy extends Infer<typeof PodFailurePolicy> {}

export const PodFailurePolicyRule = schema('batch/v1.PodFailurePolicyRule', {
  required: {
    action: oneOf(1, PodFailurePolicyAction),
  },
  optional: {
    onExitCodes: ref<PodFailurePolicyOnExitCodesRequirement>(2, 'batch/v1.PodFailurePolicyOnExitCodesRequirement'),
    onPodConditions: list(
      3,
      ref<PodFailurePolicyOnPodConditionsPattern>('batch/v1.PodFailurePolicyOnPodConditionsPattern'),
    ),
  },
})
export interface PodFailurePolicyRule extends Infer<typeof PodFailurePolicyRule> {}

export const PodFailurePolicyOnExitCodesRequirement = schema('batch/v1.PodFailurePolicyOnExitCodesRequirement', {
  required: {
    operator: oneOf(2, PodFailurePolicyOnExitCodesOperator),
    values: list(3, int32, { set: true }),
  },
  optional: {
    containerName: string(1, { keepZero: true }),
  },
})
export interface PodFailurePolicyOnExitCodesRequirement extends Infer<typeof PodFailurePolicyOnExitCodesRequirement> {}

export const PodFailurePolicyOnPodConditionsPattern = schema('batch/v1.PodFailurePolicyOnPodConditionsPattern', {
  required: {
    type: oneOf(1, PodConditionType),
  },
  optional: {
    status: oneOf(2, ConditionStatus, { always: true }),
  },
})
export interface PodFailurePolicyOnPodConditionsPattern extends Infer<typeof PodFailurePolicyOnPodConditionsPattern> {}

export const SuccessPolicy = schema('batch/v1.SuccessPolicy', {
  required: {
    rules: list(1, ref<SuccessPolicyRule>('batch/v1.SuccessPolicyRule')),
  },
})
export interface SuccessPolicy extends Infer<typeof SuccessPolicy> {}

export const SuccessPolicyRule = schema('batch/v1.SuccessPolicyRule', {
  optional: {
    succeededIndexes: string(1, { keepZero: true }),
    succeededCount: int32(2, { keepZero: true }),
  },
})
export interface SuccessPolicyRule extends Infer<typeof SuccessPolicyRule> {}
