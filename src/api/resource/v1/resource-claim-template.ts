import { ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { type ObjectMeta, objectMetadata } from '../../meta/v1/object-meta.js'
import type { ResourceClaimSpec } from './resource-claim.js'

export const ResourceClaimTemplate = kind('resource/v1.ResourceClaimTemplate', {
  required: {
    spec: ref<ResourceClaimTemplateSpec>(2, 'resource/v1.ResourceClaimTemplateSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: { plural: 'resourceclaimtemplates', returnsDeleted: true, namespaced: true },
})
export interface ResourceClaimTemplate extends Instance<typeof ResourceClaimTemplate> {}

export const ResourceClaimTemplateSpec = schema('resource/v1.ResourceClaimTemplateSpec', {
  required: {
    spec: ref<ResourceClaimSpec>(2, 'resource/v1.ResourceClaimSpec'),
  },
  optional: {
    metadata: ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true }),
  },
})
export interface ResourceClaimTemplateSpec extends Infer<typeof ResourceClaimTemplateSpec> {}
