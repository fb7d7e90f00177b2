import { ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { type ObjectMeta, objectMetadata } from '../../meta/v1/object-meta.js'
import type { ResourceClaimSpec } from './resource-claim.js'

export const ResourceClaimTemplate = kind('resource/v1beta2.ResourceClaimTemplate', {
  required: {
    spec: ref<ResourceClaimTemplateSpec>(2, 'resource/v1beta2.ResourceClaimTemplateSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface ResourceClaimTemplate extends Instance<typeof ResourceClaimTemplate> {}

export const ResourceClaimTemplateSpec = schema('resource/v1beta2.ResourceClaimTemplateSpec', {
  required: {
    spec: ref<ResourceClaimSpec>(2, 'resource/v1beta2.ResourceClaimSpec'),
  },
  optional: {
    metadata: ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true }),
  },
})
export interface ResourceClaimTemplateSpec extends Infer<typeof ResourceClaimTemplateSpec> {}
