import { rawExtension, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'

export const WatchEvent = kind('meta/v1.WatchEvent', {
  required: {
    type: string(1),
    object: rawExtension(2),
  },
  everywhere: true,
  untyped: true,
})
export interface WatchEvent extends Instance<typeof WatchEvent> {}
