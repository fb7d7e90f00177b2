import { int32, list, oneOf, openEnumeration, ref, string, time, type Values } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import { ConditionStatus } from './flow-schema.js'

export const LimitResponseType = openEnumeration('flowcontrol/v1.LimitResponseType', ['Queue', 'Reject'])
export type LimitResponseType = Values<typeof LimitResponseType>

export const PriorityLevelEnablement = openEnumeration('flowcontrol/v1.PriorityLevelEnablement', ['Exempt', 'Limited'])
export type PriorityLevelEnablement = Values<typeof PriorityLevelEnablement>

export const PriorityLevelConfiguration = kind('flowcontrol/v1.PriorityLevelConfiguration', {
  optional: {
    metadata: objectMetadata,
    spec: ref<PriorityLevelConfigurationSpec>(2, 'flowcontrol/v1.PriorityLevelConfigurationSpec', { always: true }),
    status: ref<PriorityLevelConfigurationStatus>(3, 'flowcontrol/v1.PriorityLevelConfigurationStatus', {
      always: true,
    }),
  },
  resource: {
    plural: 'prioritylevelconfigurations',
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Type'),
      column('NominalConcurrencyShares'),
      column('Queues'),
      column('HandSize'),
      column('QueueLengthLimit'),
      ageColumn,
    ],
  },
})
export interface PriorityLevelConfiguration extends Instance<typeof PriorityLevelConfiguration> {}

export const PriorityLevelConfigurationSpec = schema('flowcontrol/v1.PriorityLevelConfigurationSpec', {
  required: {
    type: oneOf(1, PriorityLevelEnablement),
  },
  optional: {
    limited: ref<LimitedPriorityLevelConfiguration>(2, 'flowcontrol/v1.LimitedPriorityLevelConfiguration'),
    exempt: ref<ExemptPriorityLevelConfiguration>(3, 'flowcontrol/v1.ExemptPriorityLevelConfiguration'),
  },
  unions: [{ discriminator: 'type', fields: ['exempt', 'limited'] }],
})
export interface PriorityLevelConfigurationSpec extends Infer<typeof PriorityLevelConfigurationSpec> {}

export const ExemptPriorityLevelConfiguration = schema('flowcontrol/v1.ExemptPriorityLevelConfiguration', {
  optional: {
    nominalConcurrencyShares: int32(1, { default: 0, keepZero: true }),
    lendablePercent: int32(2, { default: 0, keepZero: true }),
  },
})
export interface ExemptPriorityLevelConfiguration extends Infer<typeof ExemptPriorityLevelConfiguration> {}

export const LimitedPriorityLevelConfiguration = schema('flowcontrol/v1.LimitedPriorityLevelConfiguration', {
  optional: {
    nominalConcurrencyShares: int32(1, { default: 30, always: 'null' }),
    limitResponse: ref<LimitResponse>(2, 'flowcontrol/v1.LimitResponse', { always: true }),
    lendablePercent: int32(3, { default: 0, keepZero: true }),
    borrowingLimitPercent: int32(4, { keepZero: true }),
  },
})
export interface LimitedPriorityLevelConfiguration extends Infer<typeof LimitedPriorityLevelConfiguration> {}

export const LimitResponse = schema('flowcontrol/v1.LimitResponse', {
  required: {
    type: oneOf(1, LimitResponseType),
  },
  optional: {
    queuing: ref<QueuingConfiguration>(2, 'flowcontrol/v1.QueuingConfiguration'),
  },
  unions: [{ discriminator: 'type', fields: ['queuing'] }],
})
export interface LimitResponse extends Infer<typeof LimitResponse> {}

export const QueuingConfiguration = schema('flowcontrol/v1.QueuingConfiguration', {
  optional: {
    queues: int32(1, { default: 64, always: true }),
    handSize: int32(2, { default: 8, always: true }),
    queueLengthLimit: int32(3, { default: 50, always: true }),
  },
})
export interface QueuingConfiguration extends Infer<typeof QueuingConfiguration> {}

export const PriorityLevelConfigurationStatus = schema('flowcontrol/v1.PriorityLevelConfigurationStatus', {
  optional: {
    conditions: list(
      1,
      ref<PriorityLevelConfigurationCondition>('flowcontrol/v1.PriorityLevelConfigurationCondition'),
      { keys: ['type'], mergeKey: 'type' },
    ),
  },
})
export interface PriorityLevelConfigurationStatus extends Infer<typeof PriorityLevelConfigurationStatus> {}

export const PriorityLevelConfigurationCondition = schema('flowcontrol/v1.PriorityLevelConfigurationCondition', {
  optional: {
    type: string(1, { goType: 'v1.PriorityLevelConfigurationConditionType' }),
    status: oneOf(2, ConditionStatus),
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface PriorityLevelConfigurationCondition extends Infer<typeof PriorityLevelConfigurationCondition> {}
