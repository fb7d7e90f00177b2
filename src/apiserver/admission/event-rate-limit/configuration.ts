import * as field from '../../../schema/field-errors.js'
import { type FieldPath, fieldPath } from '../../../schema/field-path.js'
import { enumeration, int32, list, oneOf, ref, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { PluginConfigurationKind } from '../definition.js'

const group = 'eventratelimit.admission.k8s.io/v1alpha1'

const EventRateLimitConfiguration = kind(`${group}.Configuration`, {
  required: { limits: list(1, ref<EventLimit>(`${group}.Limit`)) },
})
export interface EventRateLimitConfiguration extends Instance<typeof EventRateLimitConfiguration> {}

/** The key by which events are counted. */
const EventLimitType = enumeration(`${group}.LimitType`, ['Namespace', 'Server', 'SourceAndObject', 'User'])
export type EventLimitType = Values<typeof EventLimitType>

const EventLimit = schema(`${group}.Limit`, {
  required: {
    type: oneOf(1, EventLimitType),
    /** Average events per second. */
    qps: int32(2),
    /** Events at once, after a pause. */
    burst: int32(3),
  },
  optional: {
    /** How many namespaces, users … are counted at the same time. */
    cacheSize: int32(4),
  },
})
export interface EventLimit extends Infer<typeof EventLimit> {}

function* validate({ limits }: EventRateLimitConfiguration): Iterable<field.FieldError> {
  const path = fieldPath('limits')
  for (const [index, limit] of (limits ?? []).entries()) yield* validateLimit(limit, path.index(index))
  if ((limits ?? []).length === 0) yield field.invalid(path, limits ?? [], 'must not be empty')
}

function* validateLimit({ type, qps, burst, cacheSize = 0 }: EventLimit, path: FieldPath): Iterable<field.FieldError> {
  const { values } = EventLimitType.type
  if (type && !values.includes(type)) yield field.notSupported(path.child('type'), type, values)
  if (burst <= 0) yield field.invalid(path.child('burst'), burst, 'must be positive')
  if (qps <= 0) yield field.invalid(path.child('qps'), qps, 'must be positive')
  if (type !== 'Server' && cacheSize < 0)
    yield field.invalid(path.child('cacheSize'), cacheSize, 'must not be negative')
}

export const eventRateLimitConfiguration: PluginConfigurationKind<EventRateLimitConfiguration> = {
  kindNames: [`${group}/Configuration`],
  declarations: [EventRateLimitConfiguration, EventLimit],
  validate,
}
