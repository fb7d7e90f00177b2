import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { MutatingAdmissionPolicyBinding } from './mutating-admission-policy-binding.js'

export const mutatingAdmissionPolicyBindingStrategy = declareStrategy<MutatingAdmissionPolicyBinding>(
  MutatingAdmissionPolicyBinding,
  {
    stored: sameForm('admissionregistration/v1.MutatingAdmissionPolicyBinding'),
  },
)
