import { enumeration, list, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { MatchResources } from './match-resources.js'
import type { ParamRef } from './parameters.js'

export const ValidationAction = enumeration('admissionregistration/v1.ValidationAction', ['Deny', 'Warn', 'Audit'])
export type ValidationAction = Values<typeof ValidationAction>

export const ValidatingAdmissionPolicyBinding = kind('admissionregistration/v1.ValidatingAdmissionPolicyBinding', {
  required: {
    spec: ref<ValidatingAdmissionPolicyBindingSpec>(2, 'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: {
    plural: 'validatingadmissionpolicybindings',
    categories: ['api-extensions'],
    columns: [nameColumn, column('PolicyName'), column('ParamRef'), ageColumn],
  },
})
export interface ValidatingAdmissionPolicyBinding extends Instance<typeof ValidatingAdmissionPolicyBinding> {}

export const ValidatingAdmissionPolicyBindingSpec = schema(
  'admissionregistration/v1.ValidatingAdmissionPolicyBindingSpec',
  {
    required: {
      policyName: string(1, { always: false }),
      validationActions: list(4, ValidationAction, { always: false, set: true }),
    },
    optional: {
      paramRef: ref<ParamRef>(2, 'admissionregistration/v1.ParamRef'),
      matchResources: ref<MatchResources>(3, 'admissionregistration/v1.MatchResources'),
    },
  },
)
export interface ValidatingAdmissionPolicyBindingSpec extends Infer<typeof ValidatingAdmissionPolicyBindingSpec> {}
