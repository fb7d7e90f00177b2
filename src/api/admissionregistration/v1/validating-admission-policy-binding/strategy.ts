import * as field from '../../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../../schema/field-path.js'
import { declareTable } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { validateOptionalChoice } from '../../../validation/choices.js'
import { validateMatchResources } from '../policy/match-resources-validation.js'
import { paramRefCell } from '../policy/param-ref-cell.js'
import { validateParamRef, validatePolicyName } from '../policy/validation.js'
import {
  ValidatingAdmissionPolicyBinding,
  type ValidatingAdmissionPolicyBindingSpec,
} from '../validating-admission-policy-binding.js'

const specPath = fieldPath('spec')

export const validatingAdmissionPolicyBindingTable = declareTable<ValidatingAdmissionPolicyBinding>(
  ValidatingAdmissionPolicyBinding,
  {
    PolicyName: ({ spec }) => spec.policyName ?? '',
    ParamRef: ({ spec }) => paramRefCell(spec.paramRef),
  },
)

export const validatingAdmissionPolicyBindingStrategy = declareStrategy<ValidatingAdmissionPolicyBinding>(
  ValidatingAdmissionPolicyBinding,
  {
    plainFinalizers: true,
    intent: ({ spec }) => [spec],
    updatedUnconditionally: false,
    validate: ({ spec }) => validateBinding(spec),
  },
)

function validateBinding(spec: ValidatingAdmissionPolicyBindingSpec): readonly field.FieldError[] {
  const { policyName, paramRef, matchResources, validationActions } = spec
  return [
    ...validatePolicyName(policyName, specPath.child('policyName')),
    ...(paramRef ? validateParamRef(paramRef, specPath.child('paramRef')) : []),
    ...(matchResources ? validateMatchResources(matchResources, specPath.child('matchResources')) : []),
    ...validateActions(validationActions ?? [], specPath.child('validationActions')),
  ]
}

function validateActions(actions: readonly string[], path: FieldPath): readonly field.FieldError[] {
  if (actions.length === 0) return [field.required(path, 'at least one validation action is required')]
  const errors: field.FieldError[] = actions.flatMap((action, i) => [
    ...validateOptionalChoice(action, path.index(i), ['Audit', 'Deny', 'Warn']),
    ...(actions.indexOf(action) < i ? [field.duplicate(path.index(i), action)] : []),
  ])
  if (actions.includes('Deny') && actions.includes('Warn'))
    errors.push(
      field.invalid(
        path,
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    )
  return errors
}
