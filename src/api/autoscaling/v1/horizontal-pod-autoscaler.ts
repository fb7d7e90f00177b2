import { int32, int64, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const HorizontalPodAutoscaler = kind('autoscaling/v1.HorizontalPodAutoscaler', {
  required: {
    spec: ref<HorizontalPodAutoscalerSpec>(2, 'autoscaling/v1.HorizontalPodAutoscalerSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<HorizontalPodAutoscalerStatus>(3, 'autoscaling/v1.HorizontalPodAutoscalerStatus', { always: true }),
  },
  resource: {
    plural: 'horizontalpodautoscalers',
    shortNames: ['hpa'],
    categories: ['all'],
    namespaced: true,
    subresources: { status: objectSubresource },
    columns: [
      nameColumn,
      column('Reference'),
      column('Targets'),
      column('MinPods'),
      column('MaxPods'),
      column('Replicas'),
      ageColumn,
    ],
  },
})
export interface HorizontalPodAutoscaler extends Instance<typeof HorizontalPodAutoscaler> {}

export const HorizontalPodAutoscalerSpec = schema('autoscaling/v1.HorizontalPodAutoscalerSpec', {
  required: {
    scaleTargetRef: ref<CrossVersionObjectReference>(1, 'autoscaling/v1.CrossVersionObjectReference'),
    maxReplicas: int32(3),
  },
  optional: {
    minReplicas: int32(2, { keepZero: true }),
    targetCPUUtilizationPercentage: int32(4, { keepZero: true }),
  },
})
export interface HorizontalPodAutoscalerSpec extends Infer<typeof HorizontalPodAutoscalerSpec> {}

export const CrossVersionObjectReference = schema('autoscaling/v1.CrossVersionObjectReference', {
  required: {
    kind: string(1),
    name: string(2),
  },
  optional: {
    apiVersion: string(3),
  },
  atomic: true,
})
export interface CrossVersionObjectReference extends Infer<typeof CrossVersionObjectReference> {}

export const HorizontalPodAutoscalerStatus = schema('autoscaling/v1.HorizontalPodAutoscalerStatus', {
  required: {
    currentReplicas: int32(3),
    desiredReplicas: int32(4),
  },
  optional: {
    observedGeneration: int64(1, { keepZero: true }),
    lastScaleTime: time(2),
    currentCPUUtilizationPercentage: int32(5, { keepZero: true }),
  },
})
export interface HorizontalPodAutoscalerStatus extends Infer<typeof HorizontalPodAutoscalerStatus> {}
