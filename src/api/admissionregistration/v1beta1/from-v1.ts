import { derivedVersion } from '../../../schema/derived-version.js'
import { oneOf, openEnumeration } from '../../../schema/fields.js'
import { mutatingPolicyTypes, sharedEnumerations } from '../v1/mutating-policy-types.js'

const version = 'admissionregistration/v1beta1'

/** Enumerations are open in this version. */
const MatchPolicyType = openEnumeration(`${version}.MatchPolicyType`, ['Exact', 'Equivalent'])
const FailurePolicyType = openEnumeration(`${version}.FailurePolicyType`, ['Ignore', 'Fail'])

export const declarations = derivedVersion(version, mutatingPolicyTypes, {
  shared: sharedEnumerations,
  fields: {
    MatchResources: { matchPolicy: oneOf(7, MatchPolicyType, { default: 'Equivalent', keepZero: true }) },
    MutatingAdmissionPolicySpec: { failurePolicy: oneOf(5, FailurePolicyType, { default: 'Fail', keepZero: true }) },
  },
})
