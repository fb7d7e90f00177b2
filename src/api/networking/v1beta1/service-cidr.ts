import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ServiceCIDR = kind('networking/v1beta1.ServiceCIDR', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ServiceCIDRSpec>(2, 'networking/v1beta1.ServiceCIDRSpec', { always: true }),
    status: ref<ServiceCIDRStatus>(3, 'networking/v1beta1.ServiceCIDRStatus', { always: true }),
  },
  listed: true,
})
export interface ServiceCIDR extends Instance<typeof ServiceCIDR> {}

export const ServiceCIDRSpec = schema('networking/v1beta1.ServiceCIDRSpec', {
  optional: {
    cidrs: list(1, string),
  },
})
export interface ServiceCIDRSpec extends Infer<typeof ServiceCIDRSpec> {}

export const ServiceCIDRStatus = schema('networking/v1beta1.ServiceCIDRStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface ServiceCIDRStatus extends Infer<typeof ServiceCIDRStatus> {}
