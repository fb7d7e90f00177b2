import { bool, list, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'

export const APIResourceList = kind('meta/v1.APIResourceList', {
  required: {
    groupVersion: string(1),
    resources: list(2, ref<APIResource>('meta/v1.APIResource')),
  },
})
export interface APIResourceList extends Instance<typeof APIResourceList> {}

export const APIResource = schema('meta/v1.APIResource', {
  required: {
    name: string(1),
    namespaced: bool(2),
    kind: string(3),
    verbs: list(4, string, { goType: 'v1.Verbs' }),
    singularName: string(6),
  },
  optional: {
    shortNames: list(5, string),
    categories: list(7, string),
    group: string(8),
    version: string(9),
    storageVersionHash: string(10),
  },
})
export interface APIResource extends Infer<typeof APIResource> {}

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

export const APIVersions = kind('meta/v1.APIVersions', {
  required: {
    versions: list(1, string),
    serverAddressByClientCIDRs: list(2, ref<ServerAddressByClientCIDR>('meta/v1.ServerAddressByClientCIDR')),
  },
})
export interface APIVersions extends Instance<typeof APIVersions> {}

export const Info = schema('version.Info', {
  required: {
    major: string(0),
    minor: string(0),
    gitVersion: string(0),
    gitCommit: string(0),
    gitTreeState: string(0),
    buildDate: string(0),
    goVersion: string(0),
    compiler: string(0),
    platform: string(0),
  },
  optional: {
    emulationMajor: string(0),
    emulationMinor: string(0),
    minCompatibilityMajor: string(0),
    minCompatibilityMinor: string(0),
  },
})
export interface Info extends Infer<typeof Info> {}

export const GroupResource = schema('meta/v1.GroupResource', {
  required: {
    group: string(1),
    resource: string(2),
  },
})
export interface GroupResource extends Infer<typeof GroupResource> {}
