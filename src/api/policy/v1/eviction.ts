import { ref } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import type { DeleteOptions } from '../../meta/v1/delete-options.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const Eviction = kind('policy/v1.Eviction', {
  optional: {
    metadata: objectMetadata,
    deleteOptions: ref<DeleteOptions>(2, 'meta/v1.DeleteOptions'),
  },
})
export interface Eviction extends Instance<typeof Eviction> {}
