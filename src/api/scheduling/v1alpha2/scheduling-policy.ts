import { enumeration, int32, list, ref, string, type Values } from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const DisruptionMode = enumeration('scheduling/v1alpha2.DisruptionMode', ['Pod', 'PodGroup'])
export type DisruptionMode = Values<typeof DisruptionMode>

export const PodGroupResourceClaim = schema('scheduling/v1alpha2.PodGroupResourceClaim', {
  required: {
    name: string(1),
  },
  optional: {
    resourceClaimName: string(2, { keepZero: true }),
    resourceClaimTemplateName: string(3, { keepZero: true }),
  },
})
export interface PodGroupResourceClaim extends Infer<typeof PodGroupResourceClaim> {}

export const PodGroupSchedulingConstraints = schema('scheduling/v1alpha2.PodGroupSchedulingConstraints', {
  optional: {
    topology: list(1, ref<TopologyConstraint>('scheduling/v1alpha2.TopologyConstraint')),
  },
})
export interface PodGroupSchedulingConstraints extends Infer<typeof PodGroupSchedulingConstraints> {}

export const TopologyConstraint = schema('scheduling/v1alpha2.TopologyConstraint', {
  required: {
    key: string(1),
  },
})
export interface TopologyConstraint extends Infer<typeof TopologyConstraint> {}

export const PodGroupSchedulingPolicy = schema('scheduling/v1alpha2.PodGroupSchedulingPolicy', {
  optional: {
    basic: ref<BasicSchedulingPolicy>(1, 'scheduling/v1alpha2.BasicSchedulingPolicy'),
    gang: ref<GangSchedulingPolicy>(2, 'scheduling/v1alpha2.GangSchedulingPolicy'),
  },
  unions: [{ fields: ['basic', 'gang'] }],
})
export interface PodGroupSchedulingPolicy extends Infer<typeof PodGroupSchedulingPolicy> {}

export const BasicSchedulingPolicy = schema('scheduling/v1alpha2.BasicSchedulingPolicy')
export interface BasicSchedulingPolicy extends Infer<typeof BasicSchedulingPolicy> {}

export const GangSchedulingPolicy = schema('scheduling/v1alpha2.GangSchedulingPolicy', {
  required: {
    minCount: int32(1),
  },
})
export interface GangSchedulingPolicy extends Infer<typeof GangSchedulingPolicy> {}
