import { list, map, openEnumeration, quantity, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const ResourceName = openEnumeration('core/v1.ResourceName', [
  'cpu',
  'memory',
  'storage',
  'ephemeral-storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
])
export type ResourceName = Values<typeof ResourceName>

export const ResourceRequirements = schema('core/v1.ResourceRequirements', {
  optional: {
    limits: map(1, quantity, { goType: 'v1.ResourceList' }),
    requests: map(2, quantity, { goType: 'v1.ResourceList' }),
    claims: list(3, ref<ResourceClaim>('core/v1.ResourceClaim'), { keys: ['name'] }),
  },
})
export interface ResourceRequirements extends Infer<typeof ResourceRequirements> {}

export const ResourceClaim = schema('core/v1.ResourceClaim', {
  required: {
    name: string(1),
  },
  optional: {
    request: string(2),
  },
})
export interface ResourceClaim extends Infer<typeof ResourceClaim> {}

export const VolumeResourceRequirements = schema('core/v1.VolumeResourceRequirements', {
  optional: {
    limits: map(1, quantity, { goType: 'v1.ResourceList' }),
    requests: map(2, quantity, { goType: 'v1.ResourceList' }),
  },
})
export interface VolumeResourceRequirements extends Infer<typeof VolumeResourceRequirements> {}
