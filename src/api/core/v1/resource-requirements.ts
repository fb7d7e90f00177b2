import { list, map, quantity, ref, string } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

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
