import { list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'

export const APIGroup = kind('meta/v1.APIGroup', {
  required: {
    name: string(1),
    versions: list(2, ref<GroupVersionForDiscovery>('meta/v1.GroupVersionForDiscovery')),
  },
  optional: {
    preferredVersion: ref<GroupVersionForDiscovery>(3, 'meta/v1.GroupVersionForDiscovery', { always: true }),
    serverAddressByClientCIDRs: list(4, ref<ServerAddressByClientCIDR>('meta/v1.ServerAddressByClientCIDR')),
  },
})
export interface APIGroup extends Instance<typeof APIGroup> {}

export const GroupVersionForDiscovery = schema('meta/v1.GroupVersionForDiscovery', {
  required: {
    groupVersion: string(1),
    version: string(2),
  },
})
export interface GroupVersionForDiscovery extends Infer<typeof GroupVersionForDiscovery> {}

export const ServerAddressByClientCIDR = schema('meta/v1.ServerAddressByClientCIDR', {
  required: {
    clientCIDR: string(1),
    serverAddress: string(2),
  },
})
export interface ServerAddressByClientCIDR extends Infer<typeof ServerAddressByClientCIDR> {}

export const APIGroupList = kind('meta/v1.APIGroupList', {
  required: {
    groups: list(1, ref<APIGroup>('meta/v1.APIGroup')),
  },
})
export interface APIGroupList extends Instance<typeof APIGroupList> {}
