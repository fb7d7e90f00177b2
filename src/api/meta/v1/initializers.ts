import { list, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'
import type { Status } from './status.js'

/** The pending initializers of an object that is not visible yet. */
export const Initializers = schema('meta/v1.Initializers', {
  gate: 'Initializers',
  required: {
    pending: list(1, ref<Initializer>('meta/v1.Initializer'), { mergeKey: 'name' }),
  },
  optional: {
    result: ref<Status>(2, 'meta/v1.Status'),
  },
})
export interface Initializers extends Infer<typeof Initializers> {}

export const Initializer = schema('meta/v1.Initializer', {
  gate: 'Initializers',
  required: {
    name: string(1),
  },
})
export interface Initializer extends Infer<typeof Initializer> {}
