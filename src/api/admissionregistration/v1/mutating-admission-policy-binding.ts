import { ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { MatchResources } from './match-resources.js'
import type { ParamRef } from './parameters.js'

export const MutatingAdmissionPolicyBinding = kind('admissionregistration/v1.MutatingAdmissionPolicyBinding', {
  optional: {
    metadata: objectMetadata,
    spec: ref<MutatingAdmissionPolicyBindingSpec>(2, 'admissionregistration/v1.MutatingAdmissionPolicyBindingSpec', {
      always: true,
    }),
  },
  resource: {
    plural: 'mutatingadmissionpolicybindings',
    categories: ['api-extensions'],
    columns: [nameColumn, column('PolicyName'), column('ParamRef'), ageColumn],
  },
})
export interface MutatingAdmissionPolicyBinding extends Instance<typeof MutatingAdmissionPolicyBinding> {}

export const MutatingAdmissionPolicyBindingSpec = schema(
  'admissionregistration/v1.MutatingAdmissionPolicyBindingSpec',
  {
    optional: {
      policyName: string(1),
      paramRef: ref<ParamRef>(2, 'admissionregistration/v1.ParamRef'),
      matchResources: ref<MatchResources>(3, 'admissionregistration/v1.MatchResources'),
    },
  },
)
export interface MutatingAdmissionPolicyBindingSpec extends Infer<typeof MutatingAdmissionPolicyBindingSpec> {}
