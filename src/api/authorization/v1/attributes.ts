import { list, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { FieldSelectorRequirement, LabelSelectorRequirement } from '../../meta/v1/label-selector.js'

export const NonResourceAttributes = schema('authorization/v1.NonResourceAttributes', {
  optional: {
    path: string(1),
    verb: string(2),
  },
})
export interface NonResourceAttributes extends Infer<typeof NonResourceAttributes> {}

export const ResourceAttributes = schema('authorization/v1.ResourceAttributes', {
  optional: {
    namespace: string(1),
    verb: string(2),
    group: string(3),
    version: string(4),
    resource: string(5),
    subresource: string(6),
    name: string(7),
    fieldSelector: ref<FieldSelectorAttributes>(8, 'authorization/v1.FieldSelectorAttributes'),
    labelSelector: ref<LabelSelectorAttributes>(9, 'authorization/v1.LabelSelectorAttributes'),
  },
})
export interface ResourceAttributes extends Infer<typeof ResourceAttributes> {}

export const FieldSelectorAttributes = schema('authorization/v1.FieldSelectorAttributes', {
  optional: {
    rawSelector: string(1),
    requirements: list(2, ref<FieldSelectorRequirement>('meta/v1.FieldSelectorRequirement')),
  },
})
export interface FieldSelectorAttributes extends Infer<typeof FieldSelectorAttributes> {}

export const LabelSelectorAttributes = schema('authorization/v1.LabelSelectorAttributes', {
  optional: {
    rawSelector: string(1),
    requirements: list(2, ref<LabelSelectorRequirement>('meta/v1.LabelSelectorRequirement')),
  },
})
export interface LabelSelectorAttributes extends Infer<typeof LabelSelectorAttributes> {}
