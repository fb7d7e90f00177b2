import { enumeration, type Values } from '../../../schema/fields.js'

export const FailurePolicyType = enumeration('admissionregistration/v1.FailurePolicyType', ['Ignore', 'Fail'])
export type FailurePolicyType = Values<typeof FailurePolicyType>

export const ReinvocationPolicyType = enumeration('admissionregistration/v1.ReinvocationPolicyType', [
  'Never',
  'IfNeeded',
])
export type ReinvocationPolicyType = Values<typeof ReinvocationPolicyType>

export const SideEffectClass = enumeration('admissionregistration/v1.SideEffectClass', [
  'Unknown',
  'None',
  'Some',
  'NoneOnDryRun',
])
export type SideEffectClass = Values<typeof SideEffectClass>
