import { int64, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const ListMeta = schema('meta/v1.ListMeta', {
  optional: {
    selfLink: string(1),
    resourceVersion: string(2),
    continue: string(3),
    remainingItemCount: int64(4, { keepZero: true }),
    shardInfo: ref<ShardInfo>(5, 'meta/v1.ShardInfo'),
  },
})
export interface ListMeta extends Infer<typeof ListMeta> {}

export const ShardInfo = schema('meta/v1.ShardInfo', {
  required: {
    selector: string(1),
  },
})
export interface ShardInfo extends Infer<typeof ShardInfo> {}
