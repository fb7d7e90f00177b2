import type { NodeAffinity } from '../../api/core/v1/affinity.js'
import type { TopologySpreadConstraint } from '../../api/core/v1/pod/spec.js'
import { bool, int32, int64, list, ref, string } from '../../schema/fields.js'
import type { Infer } from '../../schema/infer.js'
import { schema } from '../../schema/schema.js'

/** What configurations can say to plugins: `kubescheduler.config.k8s.io/v1`. */
const group = 'kubescheduler.config.k8s.io/v1'

/** They may say of what kind they are. */
const type = { apiVersion: string(0), kind: string(0) }

export const ResourceSpec = schema(`${group}.ResourceSpec`, {
  required: { name: string(0) },
  optional: { weight: int64(0, { default: 1 }) },
})
export interface ResourceSpec extends Infer<typeof ResourceSpec> {}

export const UtilizationShapePoint = schema(`${group}.UtilizationShapePoint`, {
  required: { utilization: int32(0), score: int32(0) },
})
export interface UtilizationShapePoint extends Infer<typeof UtilizationShapePoint> {}

export const RequestedToCapacityRatioParam = schema(`${group}.RequestedToCapacityRatioParam`, {
  optional: { shape: list(0, ref<UtilizationShapePoint>(`${group}.UtilizationShapePoint`)) },
})
export interface RequestedToCapacityRatioParam extends Infer<typeof RequestedToCapacityRatioParam> {}

export const ScoringStrategy = schema(`${group}.ScoringStrategy`, {
  optional: {
    type: string(0),
    resources: list(0, ref<ResourceSpec>(`${group}.ResourceSpec`)),
    requestedToCapacityRatio: ref<RequestedToCapacityRatioParam>(0, `${group}.RequestedToCapacityRatioParam`),
  },
})
export interface ScoringStrategy extends Infer<typeof ScoringStrategy> {}

export const DefaultPreemptionArgs = schema(`${group}.DefaultPreemptionArgs`, {
  optional: {
    ...type,
    minCandidateNodesPercentage: int32(0, { keepZero: true, default: 10 }),
    minCandidateNodesAbsolute: int32(0, { keepZero: true, default: 100 }),
  },
})
export interface DefaultPreemptionArgs extends Infer<typeof DefaultPreemptionArgs> {}

export const InterPodAffinityArgs = schema(`${group}.InterPodAffinityArgs`, {
  optional: {
    ...type,
    hardPodAffinityWeight: int32(0, { keepZero: true, default: 1 }),
    ignorePreferredTermsOfExistingPods: bool(0),
  },
})
export interface InterPodAffinityArgs extends Infer<typeof InterPodAffinityArgs> {}

export const NodeAffinityArgs = schema(`${group}.NodeAffinityArgs`, {
  optional: { ...type, addedAffinity: ref<NodeAffinity>(0, 'core/v1.NodeAffinity') },
})
export interface NodeAffinityArgs extends Infer<typeof NodeAffinityArgs> {}

const bothAlike = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
]

export const NodeResourcesBalancedAllocationArgs = schema(`${group}.NodeResourcesBalancedAllocationArgs`, {
  optional: {
    ...type,
    resources: list(0, ref<ResourceSpec>(`${group}.ResourceSpec`), { default: bothAlike }),
  },
})
export interface NodeResourcesBalancedAllocationArgs extends Infer<typeof NodeResourcesBalancedAllocationArgs> {}

export const NodeResourcesFitArgs = schema(`${group}.NodeResourcesFitArgs`, {
  optional: {
    ...type,
    ignoredResources: list(0, string),
    ignoredResourceGroups: list(0, string),
    scoringStrategy: ref<ScoringStrategy>(0, `${group}.ScoringStrategy`, {
      default: { type: 'LeastAllocated', resources: bothAlike },
    }),
  },
})
export interface NodeResourcesFitArgs extends Infer<typeof NodeResourcesFitArgs> {}

export const PodTopologySpreadArgs = schema(`${group}.PodTopologySpreadArgs`, {
  optional: {
    ...type,
    defaultConstraints: list(0, ref<TopologySpreadConstraint>('core/v1.TopologySpreadConstraint')),
    defaultingType: string(0, { default: 'System' }),
  },
})
export interface PodTopologySpreadArgs extends Infer<typeof PodTopologySpreadArgs> {}
