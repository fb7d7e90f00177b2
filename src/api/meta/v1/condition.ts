import { int64, oneOf, openEnumeration, string, time, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const ConditionStatus = openEnumeration('meta/v1.ConditionStatus', ['True', 'False', 'Unknown'])
export type ConditionStatus = Values<typeof ConditionStatus>

export const Condition = schema('meta/v1.Condition', {
  required: {
    type: string(1),
    status: oneOf(2, ConditionStatus),
    lastTransitionTime: time(4),
    reason: string(5),
    message: string(6),
  },
  optional: {
    observedGeneration: int64(3),
  },
})
export interface Condition extends Infer<typeof Condition> {}
