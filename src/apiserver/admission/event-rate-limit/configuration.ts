import * as field from '../../../schema/field-errors.js'
import { enumeration, int32, list, oneOf, ref, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { rules } from '../../../schema/rules.js'
import { kind, schema } from '../../../schema/schema.js'

const group = 'eventratelimit.admission.k8s.io/v1alpha1'

export const kindNames = [`${group}/Configuration`] as const

const EventRateLimitConfiguration = kind(`${group}.Configuration`, {
  required: { limits: list(1, ref<EventLimit>(`${group}.Limit`)) },
})
export interface EventRateLimitConfiguration extends Instance<typeof EventRateLimitConfiguration> {}

/** What events are counted by. */
const LimitType = enumeration(`${group}.LimitType`, ['Namespace', 'Server', 'SourceAndObject', 'User'])
export type LimitType = Values<typeof LimitType>

const EventLimit = schema(`${group}.Limit`, {
  required: {
    type: oneOf(1, LimitType, { constraints: { supported: true } }),
    /** Events a second, on the average. */
    qps: int32(2),
    /** Events at once, after a quiet time. */
    burst: int32(3),
  },
  optional: {
    /** How many namespaces, users … are remembered. */
    cacheSize: int32(4),
  },
})
export interface EventLimit extends Infer<typeof EventLimit> {}

const configurationRules = rules<EventRateLimitConfiguration>(EventRateLimitConfiguration, {
  *validate({ limits }, { path }) {
    if ((limits ?? []).length === 0) yield field.invalid(path.child('limits'), limits ?? [], 'must not be empty')
  },
})

const limitRules = rules<EventLimit>(EventLimit, {
  *validate({ type, qps, burst, cacheSize = 0 }, { path }) {
    if (burst <= 0) yield field.invalid(path.child('burst'), burst, 'must be positive')
    if (qps <= 0) yield field.invalid(path.child('qps'), qps, 'must be positive')
    if (type !== 'Server' && cacheSize < 0)
      yield field.invalid(path.child('cacheSize'), cacheSize, 'must not be negative')
  },
})

export const declarations = [EventRateLimitConfiguration, EventLimit, configurationRules, limitRules]
