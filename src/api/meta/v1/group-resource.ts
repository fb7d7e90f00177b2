import { string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const GroupResource = schema('meta/v1.GroupResource', {
  required: {
    group: string(1),
    resource: string(2),
  },
})
export interface GroupResource extends Infer<typeof GroupResource> {}
