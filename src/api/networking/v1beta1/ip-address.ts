import { ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const IPAddress = kind('networking/v1beta1.IPAddress', {
  required: {
    spec: ref<IPAddressSpec>(2, 'networking/v1beta1.IPAddressSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface IPAddress extends Instance<typeof IPAddress> {}

export const IPAddressSpec = schema('networking/v1beta1.IPAddressSpec', {
  required: {
    parentRef: ref<ParentReference>(1, 'networking/v1beta1.ParentReference', { always: false }),
  },
})
export interface IPAddressSpec extends Infer<typeof IPAddressSpec> {}

export const ParentReference = schema('networking/v1beta1.ParentReference', {
  required: {
    resource: string(2, { always: false }),
    name: string(4, { always: false }),
  },
  optional: {
    group: string(1),
    namespace: string(3),
  },
})
export interface ParentReference extends Infer<typeof ParentReference> {}
