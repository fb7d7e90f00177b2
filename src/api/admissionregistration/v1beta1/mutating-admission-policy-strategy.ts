import { declareStrategy, sameForm } from '../../../schema/strategy.js'
import { MutatingAdmissionPolicy } from './mutating-admission-policy.js'

export const mutatingAdmissionPolicyStrategy = declareStrategy<MutatingAdmissionPolicy>(MutatingAdmissionPolicy, {
  stored: sameForm('admissionregistration/v1.MutatingAdmissionPolicy'),
})
