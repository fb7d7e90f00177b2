import { list, listOf, map, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const UserInfo = schema('authentication/v1.UserInfo', {
  optional: {
    username: string(1),
    uid: string(2),
    groups: list(3, string),
    extra: map(4, listOf(string), { goType: 'map[string]v1.ExtraValue' }),
  },
})
export interface UserInfo extends Infer<typeof UserInfo> {}
