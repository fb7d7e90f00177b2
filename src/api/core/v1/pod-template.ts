import { ref } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, nameColumn, schema } from '../../../schema/schema.js'
import { type ObjectMeta, objectMetadata } from '../../meta/v1/object-meta.js'
import type { PodSpec } from './pod/spec.js'

export const PodTemplate = kind('core/v1.PodTemplate', {
  optional: {
    metadata: objectMetadata,
    template: ref<PodTemplateSpec>(2, 'core/v1.PodTemplateSpec', { always: true }),
  },
  resource: {
    plural: 'podtemplates',
    returnsDeleted: true,
    namespaced: true,
    columns: [nameColumn, column('Containers'), column('Images'), column('Pod Labels')],
  },
})
export interface PodTemplate extends Instance<typeof PodTemplate> {}

export const PodTemplateSpec = schema('core/v1.PodTemplateSpec', {
  optional: {
    metadata: ref<ObjectMeta>(1, 'meta/v1.ObjectMeta', { always: true }),
    spec: ref<PodSpec>(2, 'core/v1.PodSpec', { always: true }),
  },
})
export interface PodTemplateSpec extends Infer<typeof PodTemplateSpec> {}
