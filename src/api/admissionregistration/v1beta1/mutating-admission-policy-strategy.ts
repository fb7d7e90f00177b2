import { sameForm } from '../../../schema/stored-version.js'
import { strategy } from '../../../schema/strategy.js'
import { MutatingAdmissionPolicy } from './mutating-admission-policy.js'

export const mutatingAdmissionPolicyStrategy = strategy<MutatingAdmissionPolicy>(MutatingAdmissionPolicy, {
  stored: sameForm('admissionregistration/v1.MutatingAdmissionPolicy'),
})
