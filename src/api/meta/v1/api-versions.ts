import { list, ref, string } from '../../../schema/fields.js'
import type { Instance } from '../../../schema/infer.js'
import { kind } from '../../../schema/schema.js'
import type { ServerAddressByClientCIDR } from './api-group.js'

export const APIVersions = kind('meta/v1.APIVersions', {
  required: {
    versions: list(1, string),
    serverAddressByClientCIDRs: list(2, ref<ServerAddressByClientCIDR>('meta/v1.ServerAddressByClientCIDR')),
  },
})
export interface APIVersions extends Instance<typeof APIVersions> {}
