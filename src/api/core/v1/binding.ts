import { ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { ObjectReference } from './object-reference.js'

export const Binding = kind('core/v1.Binding', {
  required: {
    target: ref<ObjectReference>(2, 'core/v1.ObjectReference'),
  },
  optional: {
    metadata: objectMetadata,
  },
  resource: { plural: 'bindings', namespaced: true, verbs: ['create'], columns: [] },
})
export interface Binding extends Instance<typeof Binding> {}
