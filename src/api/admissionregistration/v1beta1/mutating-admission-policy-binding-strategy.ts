import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { MutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding.js'

export const mutatingAdmissionPolicyBindingStrategy = strategy<MutatingAdmissionPolicyBinding>(
  MutatingAdmissionPolicyBinding,
  {
    stored: sameForm('admissionregistration/v1.MutatingAdmissionPolicyBinding'),
  },
)
