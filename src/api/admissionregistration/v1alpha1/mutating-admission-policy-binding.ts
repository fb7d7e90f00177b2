import { enumeration, oneOf, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { MatchResources } from './match-resources.js'

export const ParameterNotFoundActionType = enumeration('admissionregistration/v1alpha1.ParameterNotFoundActionType', [
  'Allow',
  'Deny',
])
export type ParameterNotFoundActionType = Values<typeof ParameterNotFoundActionType>

export const MutatingAdmissionPolicyBinding = kind('admissionregistration/v1alpha1.MutatingAdmissionPolicyBinding', {
  optional: {
    metadata: objectMetadata,
    spec: ref<MutatingAdmissionPolicyBindingSpec>(
      2,
      'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
      { always: true },
    ),
  },
  listed: true,
})
export interface MutatingAdmissionPolicyBinding extends Instance<typeof MutatingAdmissionPolicyBinding> {}

export const MutatingAdmissionPolicyBindingSpec = schema(
  'admissionregistration/v1alpha1.MutatingAdmissionPolicyBindingSpec',
  {
    optional: {
      policyName: string(1),
      paramRef: ref<ParamRef>(2, 'admissionregistration/v1alpha1.ParamRef'),
      matchResources: ref<MatchResources>(3, 'admissionregistration/v1alpha1.MatchResources'),
    },
  },
)
export interface MutatingAdmissionPolicyBindingSpec extends Infer<typeof MutatingAdmissionPolicyBindingSpec> {}

export const ParamRef = schema('admissionregistration/v1alpha1.ParamRef', {
  optional: {
    name: string(1),
    namespace: string(2),
    selector: ref<LabelSelector>(3, 'meta/v1.LabelSelector'),
    parameterNotFoundAction: oneOf(4, ParameterNotFoundActionType, { default: 'Deny', keepZero: true }),
  },
  atomic: true,
})
export interface ParamRef extends Infer<typeof ParamRef> {}
