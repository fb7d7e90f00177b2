import { oneOf, openEnumeration, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'

export const ParameterNotFoundActionType = openEnumeration('admissionregistration/v1.ParameterNotFoundActionType', [
  'Allow',
  'Deny',
])
export type ParameterNotFoundActionType = Values<typeof ParameterNotFoundActionType>

export const ParamKind = schema('admissionregistration/v1.ParamKind', {
  optional: {
    apiVersion: string(1),
    kind: string(2),
  },
  atomic: true,
})
export interface ParamKind extends Infer<typeof ParamKind> {}

export const ParamRef = schema('admissionregistration/v1.ParamRef', {
  optional: {
    name: string(1),
    namespace: string(2),
    selector: ref<LabelSelector>(3, 'meta/v1.LabelSelector'),
    parameterNotFoundAction: oneOf(4, ParameterNotFoundActionType, { keepZero: true }),
  },
  atomic: true,
})
export interface ParamRef extends Infer<typeof ParamRef> {}

export const Variable = schema('admissionregistration/v1.Variable', {
  required: {
    name: string(1),
    expression: string(2),
  },
  atomic: true,
})
export interface Variable extends Infer<typeof Variable> {}
