import { fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { MutatingAdmissionPolicyBinding } from '../mutating-admission-policy-binding.js'
import { validateMatchResources, validateMutableOperations } from '../policy/match-resources-validation.js'
import { paramRefCell } from '../policy/param-ref-cell.js'
import { validateParamRef, validatePolicyName } from '../policy/validation.js'

const specPath = fieldPath('spec')

export const mutatingAdmissionPolicyBindingTable = declareTable<MutatingAdmissionPolicyBinding>(
  MutatingAdmissionPolicyBinding,
  {
    PolicyName: ({ spec }) => spec.policyName ?? '',
    ParamRef: ({ spec }) => paramRefCell(spec.paramRef),
  },
)

export const mutatingAdmissionPolicyBindingStrategy = declareStrategy<MutatingAdmissionPolicyBinding>(
  MutatingAdmissionPolicyBinding,
  {
    plainFinalizers: true,
    intent: ({ spec }) => [spec],
    updatedUnconditionally: false,
    validate: ({ spec: { policyName, paramRef, matchResources } }) => [
      ...validatePolicyName(policyName, specPath.child('policyName')),
      ...(paramRef ? validateParamRef(paramRef, specPath.child('paramRef')) : []),
      ...(matchResources ? validateMatchResources(matchResources, specPath.child('matchResources')) : []),
      ...validateMutableOperations(matchResources, specPath.child('matchResources')),
    ],
  },
)
