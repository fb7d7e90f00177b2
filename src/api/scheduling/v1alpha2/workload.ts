import { int32, list, oneOf, ref, string } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { kind, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import {
  DisruptionMode,
  type PodGroupResourceClaim,
  type PodGroupSchedulingConstraints,
  type PodGroupSchedulingPolicy,
} from './scheduling-policy.js'

export const Workload = kind('scheduling/v1alpha2.Workload', {
  required: {
    spec: ref<WorkloadSpec>(2, 'scheduling/v1alpha2.WorkloadSpec'),
  },
  optional: {
    metadata: objectMetadata,
  },
  listed: true,
})
export interface Workload extends Instance<typeof Workload> {}

export const WorkloadSpec = schema('scheduling/v1alpha2.WorkloadSpec', {
  required: {
    podGroupTemplates: list(2, ref<PodGroupTemplate>('scheduling/v1alpha2.PodGroupTemplate'), { keys: ['name'] }),
  },
  optional: {
    controllerRef: ref<TypedLocalObjectReference>(1, 'scheduling/v1alpha2.TypedLocalObjectReference'),
  },
})
export interface WorkloadSpec extends Infer<typeof WorkloadSpec> {}

export const TypedLocalObjectReference = schema('scheduling/v1alpha2.TypedLocalObjectReference', {
  required: {
    kind: string(2),
    name: string(3),
  },
  optional: {
    apiGroup: string(1),
  },
})
export interface TypedLocalObjectReference extends Infer<typeof TypedLocalObjectReference> {}

export const PodGroupTemplate = schema('scheduling/v1alpha2.PodGroupTemplate', {
  required: {
    name: string(1),
    schedulingPolicy: ref<PodGroupSchedulingPolicy>(2, 'scheduling/v1alpha2.PodGroupSchedulingPolicy'),
  },
  optional: {
    schedulingConstraints: ref<PodGroupSchedulingConstraints>(3, 'scheduling/v1alpha2.PodGroupSchedulingConstraints', {
      always: 'null',
    }),
    resourceClaims: list(4, ref<PodGroupResourceClaim>('scheduling/v1alpha2.PodGroupResourceClaim'), {
      keys: ['name'],
      mergeKey: 'name',
      patch: 'merge,retainKeys',
    }),
    disruptionMode: oneOf(5, DisruptionMode, { keepZero: true }),
    priorityClassName: string(6),
    priority: int32(7, { keepZero: true }),
  },
})
export interface PodGroupTemplate extends Infer<typeof PodGroupTemplate> {}
