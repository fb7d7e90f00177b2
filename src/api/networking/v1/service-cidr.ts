import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const ServiceCIDR = kind('networking/v1.ServiceCIDR', {
  optional: {
    metadata: objectMetadata,
    spec: ref<ServiceCIDRSpec>(2, 'networking/v1.ServiceCIDRSpec', { always: true }),
    status: ref<ServiceCIDRStatus>(3, 'networking/v1.ServiceCIDRStatus', { always: true }),
  },
  resource: {
    plural: 'servicecidrs',
    subresources: { status: objectSubresource },
    columns: [nameColumn, column('CIDRs'), ageColumn],
  },
})
export interface ServiceCIDR extends Instance<typeof ServiceCIDR> {}

export const ServiceCIDRSpec = schema('networking/v1.ServiceCIDRSpec', {
  optional: {
    cidrs: list(1, string),
  },
})
export interface ServiceCIDRSpec extends Infer<typeof ServiceCIDRSpec> {}

export const ServiceCIDRStatus = schema('networking/v1.ServiceCIDRStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
  },
})
export interface ServiceCIDRStatus extends Infer<typeof ServiceCIDRStatus> {}
