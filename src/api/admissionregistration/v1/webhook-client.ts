import { bytes, int32, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const WebhookClientConfig = schema('admissionregistration/v1.WebhookClientConfig', {
  optional: {
    service: ref<ServiceReference>(1, 'admissionregistration/v1.ServiceReference'),
    caBundle: bytes(2),
    url: string(3, { keepZero: true }),
  },
})
export interface WebhookClientConfig extends Infer<typeof WebhookClientConfig> {}

export const ServiceReference = schema('admissionregistration/v1.ServiceReference', {
  required: {
    namespace: string(1),
    name: string(2),
  },
  optional: {
    path: string(3, { keepZero: true }),
    port: int32(4, { default: 443, keepZero: true }),
  },
})
export interface ServiceReference extends Infer<typeof ServiceReference> {}
