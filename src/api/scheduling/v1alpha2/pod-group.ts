import { int32, list, oneOf, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import type { Condition } from '../../meta/v1/condition.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import {
  DisruptionMode,
  type PodGroupResourceClaim,
  type PodGroupSchedulingConstraints,
  type PodGroupSchedulingPolicy,
} from './scheduling-policy.js'

export const PodGroup = kind('scheduling/v1alpha2.PodGroup', {
  required: {
    spec: ref<PodGroupSpec>(2, 'scheduling/v1alpha2.PodGroupSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<PodGroupStatus>(3, 'scheduling/v1alpha2.PodGroupStatus', { always: true }),
  },
  listed: true,
})
export interface PodGroup extends Instance<typeof PodGroup> {}

export const PodGroupSpec = schema('scheduling/v1alpha2.PodGroupSpec', {
  required: {
    schedulingPolicy: ref<PodGroupSchedulingPolicy>(2, 'scheduling/v1alpha2.PodGroupSchedulingPolicy'),
  },
  optional: {
    podGroupTemplateRef: ref<PodGroupTemplateReference>(1, 'scheduling/v1alpha2.PodGroupTemplateReference', {
      always: 'null',
    }),
    schedulingConstraints: ref<PodGroupSchedulingConstraints>(3, 'scheduling/v1alpha2.PodGroupSchedulingConstraints'),
    resourceClaims: list(4, ref<PodGroupResourceClaim>('scheduling/v1alpha2.PodGroupResourceClaim'), {
      keys: ['name'],
      mergeKey: 'name',
      patch: 'merge,retainKeys',
    }),
    disruptionMode: oneOf(5, DisruptionMode, { default: 'Pod', keepZero: true }),
    priorityClassName: string(6),
    priority: int32(7, { keepZero: true }),
  },
})
export interface PodGroupSpec extends Infer<typeof PodGroupSpec> {}

export const PodGroupTemplateReference = schema('scheduling/v1alpha2.PodGroupTemplateReference', {
  optional: {
    workload: ref<WorkloadPodGroupTemplateReference>(1, 'scheduling/v1alpha2.WorkloadPodGroupTemplateReference', {
      always: 'null',
    }),
  },
  unions: [{ fields: ['workload'] }],
})
export interface PodGroupTemplateReference extends Infer<typeof PodGroupTemplateReference> {}

export const WorkloadPodGroupTemplateReference = schema('scheduling/v1alpha2.WorkloadPodGroupTemplateReference', {
  required: {
    workloadName: string(1),
    podGroupTemplateName: string(2),
  },
})
export interface WorkloadPodGroupTemplateReference extends Infer<typeof WorkloadPodGroupTemplateReference> {}

export const PodGroupStatus = schema('scheduling/v1alpha2.PodGroupStatus', {
  optional: {
    conditions: list(1, ref<Condition>('meta/v1.Condition'), { keys: ['type'], mergeKey: 'type' }),
    resourceClaimStatuses: list(
      2,
      ref<PodGroupResourceClaimStatus>('scheduling/v1alpha2.PodGroupResourceClaimStatus'),
      { keys: ['name'], mergeKey: 'name', patch: 'merge,retainKeys' },
    ),
  },
})
export interface PodGroupStatus extends Infer<typeof PodGroupStatus> {}

export const PodGroupResourceClaimStatus = schema('scheduling/v1alpha2.PodGroupResourceClaimStatus', {
  required: {
    name: string(1),
  },
  optional: {
    resourceClaimName: string(2, { keepZero: true }),
  },
})
export interface PodGroupResourceClaimStatus extends Infer<typeof PodGroupResourceClaimStatus> {}
