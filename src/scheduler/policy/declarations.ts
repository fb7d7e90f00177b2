/** The types of a policy file: Policy v1, as schedulers before v1.23 read it. */
import { bool, bytes, int32, int64, json, list, ref, string } from '../../schema/fields.js'
import type { Infer } from '../../schema/infer.js'
import { schema } from '../../schema/schema.js'

const group = 'policy.scheduler/v1'

export const SchedulerPolicy = schema(`${group}.Policy`, {
  optional: {
    apiVersion: string(0),
    kind: string(0),
    predicates: list(0, ref<PredicatePolicy>(`${group}.PredicatePolicy`)),
    priorities: list(0, ref<PriorityPolicy>(`${group}.PriorityPolicy`)),
    extenders: list(0, ref<PolicyExtender>(`${group}.Extender`)),
    hardPodAffinitySymmetricWeight: int32(0),
    alwaysCheckAllPredicates: bool(0),
  },
})
export interface SchedulerPolicy extends Infer<typeof SchedulerPolicy> {}

export const PredicatePolicy = schema(`${group}.PredicatePolicy`, {
  required: { name: string(0) },
  optional: { argument: ref<PredicateArgument>(0, `${group}.PredicateArgument`) },
})
export interface PredicatePolicy extends Infer<typeof PredicatePolicy> {}

export const PredicateArgument = schema(`${group}.PredicateArgument`, {
  optional: {
    serviceAffinity: ref<ServiceAffinityArgument>(0, `${group}.ServiceAffinity`),
    labelsPresence: ref<LabelsPresence>(0, `${group}.LabelsPresence`),
  },
})
export interface PredicateArgument extends Infer<typeof PredicateArgument> {}

export const ServiceAffinityArgument = schema(`${group}.ServiceAffinity`, { optional: { labels: list(0, string) } })
export interface ServiceAffinityArgument extends Infer<typeof ServiceAffinityArgument> {}

export const LabelsPresence = schema(`${group}.LabelsPresence`, {
  optional: { labels: list(0, string), presence: bool(0) },
})
export interface LabelsPresence extends Infer<typeof LabelsPresence> {}

export const PriorityPolicy = schema(`${group}.PriorityPolicy`, {
  required: { name: string(0) },
  optional: {
    weight: int64(0),
    argument: ref<PriorityArgument>(0, `${group}.PriorityArgument`),
  },
})
export interface PriorityPolicy extends Infer<typeof PriorityPolicy> {}

export const PriorityArgument = schema(`${group}.PriorityArgument`, {
  optional: {
    serviceAntiAffinity: ref<ServiceAntiAffinity>(0, `${group}.ServiceAntiAffinity`),
    labelPreference: ref<LabelPreference>(0, `${group}.LabelPreference`),
    requestedToCapacityRatioArguments: ref<RequestedToCapacityRatioArguments>(
      0,
      `${group}.RequestedToCapacityRatioArguments`,
    ),
  },
})
export interface PriorityArgument extends Infer<typeof PriorityArgument> {}

export const ServiceAntiAffinity = schema(`${group}.ServiceAntiAffinity`, { optional: { label: string(0) } })
export interface ServiceAntiAffinity extends Infer<typeof ServiceAntiAffinity> {}

export const LabelPreference = schema(`${group}.LabelPreference`, {
  optional: { label: string(0), presence: bool(0) },
})
export interface LabelPreference extends Infer<typeof LabelPreference> {}

export const RequestedToCapacityRatioArguments = schema(`${group}.RequestedToCapacityRatioArguments`, {
  optional: {
    shape: list(0, ref<PolicyShapePoint>(`${group}.UtilizationShapePoint`)),
    resources: list(0, ref<WeightedResource>(`${group}.ResourceSpec`)),
  },
})
export interface RequestedToCapacityRatioArguments extends Infer<typeof RequestedToCapacityRatioArguments> {}

export const PolicyShapePoint = schema(`${group}.UtilizationShapePoint`, {
  required: { utilization: int32(0), score: int32(0) },
})
export interface PolicyShapePoint extends Infer<typeof PolicyShapePoint> {}

export const WeightedResource = schema(`${group}.ResourceSpec`, {
  required: { name: string(0) },
  optional: { weight: int64(0, { default: 1 }) },
})
export interface WeightedResource extends Infer<typeof WeightedResource> {}

export const PolicyExtender = schema(`${group}.Extender`, {
  optional: {
    urlPrefix: string(0),
    filterVerb: string(0),
    preemptVerb: string(0),
    prioritizeVerb: string(0),
    weight: int64(0),
    bindVerb: string(0),
    enableHttps: bool(0),
    tlsConfig: ref<PolicyTls>(0, `${group}.ExtenderTLSConfig`),
    /** Nanoseconds, or text such as `30s`. */
    httpTimeout: json(0),
    nodeCacheCapable: bool(0),
    managedResources: list(0, ref<PolicyManagedResource>(`${group}.ExtenderManagedResource`)),
    ignorable: bool(0),
  },
})
export interface PolicyExtender extends Infer<typeof PolicyExtender> {}

export const PolicyTls = schema(`${group}.ExtenderTLSConfig`, {
  optional: {
    insecure: bool(0),
    serverName: string(0),
    certFile: string(0),
    keyFile: string(0),
    caFile: string(0),
    certData: bytes(0),
    keyData: bytes(0),
    caData: bytes(0),
  },
})
export interface PolicyTls extends Infer<typeof PolicyTls> {}

export const PolicyManagedResource = schema(`${group}.ExtenderManagedResource`, {
  required: { name: string(0) },
  optional: { ignoredByScheduler: bool(0) },
})
export interface PolicyManagedResource extends Infer<typeof PolicyManagedResource> {}
