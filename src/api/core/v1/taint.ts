import { enumeration, int64, oneOf, string, time, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const TaintEffect = enumeration('core/v1.TaintEffect', ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
export type TaintEffect = Values<typeof TaintEffect>

export const TolerationOperator = enumeration('core/v1.TolerationOperator', ['Exists', 'Equal', 'Lt', 'Gt'])
export type TolerationOperator = Values<typeof TolerationOperator>

export const Taint = schema('core/v1.Taint', {
  required: {
    key: string(1),
    effect: oneOf(3, TaintEffect),
  },
  optional: {
    value: string(2),
    timeAdded: time(4),
  },
})
export interface Taint extends Infer<typeof Taint> {}

export const Toleration = schema('core/v1.Toleration', {
  optional: {
    key: string(1),
    operator: oneOf(2, TolerationOperator),
    value: string(3),
    effect: oneOf(4, TaintEffect),
    tolerationSeconds: int64(5, { keepZero: true }),
  },
})
export interface Toleration extends Infer<typeof Toleration> {}
