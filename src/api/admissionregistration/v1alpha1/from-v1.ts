import { derivedVersion } from '../../../schema/derived-version.js'
import { enumeration, oneOf } from '../../../schema/fields.js'
import { schema } from '../../../schema/schema.js'
import { mutatingPolicyTypes, sharedEnumerations } from '../v1/mutating-policy-types.js'
import { Variable } from '../v1/parameters.js'

const version = 'admissionregistration/v1alpha1'

const ParameterNotFoundActionType = enumeration(`${version}.ParameterNotFoundActionType`, ['Allow', 'Deny'])

export const declarations = derivedVersion(version, mutatingPolicyTypes, {
  shared: sharedEnumerations,
  fields: {
    ParamRef: {
      parameterNotFoundAction: oneOf(4, ParameterNotFoundActionType, { default: 'Deny', keepZero: true }),
    },
  },
  // Not atomic in this version.
  declarations: [schema(`${version}.Variable`, { required: Variable.required })],
})
