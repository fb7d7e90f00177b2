import {
  int32,
  int64,
  list,
  oneOf,
  openEnumeration,
  quantity,
  ref,
  string,
  time,
  type Values,
} from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { ageColumn, column, kind, nameColumn, objectSubresource, schema } from '../../../schema/schema.js'
import { ConditionStatus } from '../../core/v1/condition-status.js'
import { ResourceName } from '../../core/v1/resource-requirements.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const HPAScalingPolicyType = openEnumeration('autoscaling/v2.HPAScalingPolicyType', ['Pods', 'Percent'])
export type HPAScalingPolicyType = Values<typeof HPAScalingPolicyType>

export const ScalingPolicySelect = openEnumeration('autoscaling/v2.ScalingPolicySelect', ['Max', 'Min', 'Disabled'])
export type ScalingPolicySelect = Values<typeof ScalingPolicySelect>

export const HorizontalPodAutoscalerConditionType = openEnumeration(
  'autoscaling/v2.HorizontalPodAutoscalerConditionType',
  ['ScalingActive', 'AbleToScale', 'ScalingLimited', 'ScaledToZero'],
)
export type HorizontalPodAutoscalerConditionType = Values<typeof HorizontalPodAutoscalerConditionType>

export const MetricSourceType = openEnumeration('autoscaling/v2.MetricSourceType', [
  'Object',
  'Pods',
  'Resource',
  'ContainerResource',
  'External',
])
export type MetricSourceType = Values<typeof MetricSourceType>

export const MetricTargetType = openEnumeration('autoscaling/v2.MetricTargetType', [
  'Utilization',
  'Value',
  'AverageValue',
])
export type MetricTargetType = Values<typeof MetricTargetType>

export const HorizontalPodAutoscaler = kind('autoscaling/v2.HorizontalPodAutoscaler', {
  required: {
    spec: ref<HorizontalPodAutoscalerSpec>(2, 'autoscaling/v2.HorizontalPodAutoscalerSpec'),
  },
  optional: {
    metadata: objectMetadata,
    status: ref<HorizontalPodAutoscalerStatus>(3, 'autoscaling/v2.HorizontalPodAutoscalerStatus', { always: true }),
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

export const HorizontalPodAutoscalerSpec = schema('autoscaling/v2.HorizontalPodAutoscalerSpec', {
  required: {
    scaleTargetRef: ref<CrossVersionObjectReference>(1, 'autoscaling/v2.CrossVersionObjectReference'),
    maxReplicas: int32(3),
  },
  optional: {
    minReplicas: int32(2, { keepZero: true }),
    metrics: list(4, ref<MetricSpec>('autoscaling/v2.MetricSpec')),
    behavior: ref<HorizontalPodAutoscalerBehavior>(5, 'autoscaling/v2.HorizontalPodAutoscalerBehavior'),
  },
})
export interface HorizontalPodAutoscalerSpec extends Infer<typeof HorizontalPodAutoscalerSpec> {}

export const HorizontalPodAutoscalerBehavior = schema('autoscaling/v2.HorizontalPodAutoscalerBehavior', {
  optional: {
    scaleUp: ref<HPAScalingRules>(1, 'autoscaling/v2.HPAScalingRules'),
    scaleDown: ref<HPAScalingRules>(2, 'autoscaling/v2.HPAScalingRules'),
  },
})
export interface HorizontalPodAutoscalerBehavior extends Infer<typeof HorizontalPodAutoscalerBehavior> {}

export const HPAScalingRules = schema('autoscaling/v2.HPAScalingRules', {
  optional: {
    selectPolicy: oneOf(1, ScalingPolicySelect, { keepZero: true }),
    policies: list(2, ref<HPAScalingPolicy>('autoscaling/v2.HPAScalingPolicy')),
    stabilizationWindowSeconds: int32(3, { keepZero: true }),
    tolerance: quantity(4),
  },
})
export interface HPAScalingRules extends Infer<typeof HPAScalingRules> {}

export const HPAScalingPolicy = schema('autoscaling/v2.HPAScalingPolicy', {
  required: {
    type: oneOf(1, HPAScalingPolicyType),
    value: int32(2),
    periodSeconds: int32(3),
  },
})
export interface HPAScalingPolicy extends Infer<typeof HPAScalingPolicy> {}

export const MetricSpec = schema('autoscaling/v2.MetricSpec', {
  required: {
    type: oneOf(1, MetricSourceType),
  },
  optional: {
    object: ref<ObjectMetricSource>(2, 'autoscaling/v2.ObjectMetricSource'),
    pods: ref<PodsMetricSource>(3, 'autoscaling/v2.PodsMetricSource'),
    resource: ref<ResourceMetricSource>(4, 'autoscaling/v2.ResourceMetricSource'),
    external: ref<ExternalMetricSource>(5, 'autoscaling/v2.ExternalMetricSource'),
    containerResource: ref<ContainerResourceMetricSource>(7, 'autoscaling/v2.ContainerResourceMetricSource'),
  },
})
export interface MetricSpec extends Infer<typeof MetricSpec> {}

export const ContainerResourceMetricSource = schema('autoscaling/v2.ContainerResourceMetricSource', {
  required: {
    name: oneOf(1, ResourceName),
    target: ref<MetricTarget>(2, 'autoscaling/v2.MetricTarget'),
    container: string(3),
  },
})
export interface ContainerResourceMetricSource extends Infer<typeof ContainerResourceMetricSource> {}

export const MetricTarget = schema('autoscaling/v2.MetricTarget', {
  required: {
    type: oneOf(1, MetricTargetType),
  },
  optional: {
    value: quantity(2),
    averageValue: quantity(3),
    averageUtilization: int32(4, { keepZero: true }),
  },
})
export interface MetricTarget extends Infer<typeof MetricTarget> {}

export const ExternalMetricSource = schema('autoscaling/v2.ExternalMetricSource', {
  required: {
    metric: ref<MetricIdentifier>(1, 'autoscaling/v2.MetricIdentifier'),
    target: ref<MetricTarget>(2, 'autoscaling/v2.MetricTarget'),
  },
})
export interface ExternalMetricSource extends Infer<typeof ExternalMetricSource> {}

export const MetricIdentifier = schema('autoscaling/v2.MetricIdentifier', {
  required: {
    name: string(1),
  },
  optional: {
    selector: ref<LabelSelector>(2, 'meta/v1.LabelSelector'),
  },
})
export interface MetricIdentifier extends Infer<typeof MetricIdentifier> {}

export const ObjectMetricSource = schema('autoscaling/v2.ObjectMetricSource', {
  required: {
    describedObject: ref<CrossVersionObjectReference>(1, 'autoscaling/v2.CrossVersionObjectReference'),
    target: ref<MetricTarget>(2, 'autoscaling/v2.MetricTarget'),
    metric: ref<MetricIdentifier>(3, 'autoscaling/v2.MetricIdentifier'),
  },
})
export interface ObjectMetricSource extends Infer<typeof ObjectMetricSource> {}

export const CrossVersionObjectReference = schema('autoscaling/v2.CrossVersionObjectReference', {
  required: {
    kind: string(1),
    name: string(2),
  },
  optional: {
    apiVersion: string(3),
  },
})
export interface CrossVersionObjectReference extends Infer<typeof CrossVersionObjectReference> {}

export const PodsMetricSource = schema('autoscaling/v2.PodsMetricSource', {
  required: {
    metric: ref<MetricIdentifier>(1, 'autoscaling/v2.MetricIdentifier'),
    target: ref<MetricTarget>(2, 'autoscaling/v2.MetricTarget'),
  },
})
export interface PodsMetricSource extends Infer<typeof PodsMetricSource> {}

export const ResourceMetricSource = schema('autoscaling/v2.ResourceMetricSource', {
  required: {
    name: oneOf(1, ResourceName),
    target: ref<MetricTarget>(2, 'autoscaling/v2.MetricTarget'),
  },
})
export interface ResourceMetricSource extends Infer<typeof ResourceMetricSource> {}

export const HorizontalPodAutoscalerStatus = schema('autoscaling/v2.HorizontalPodAutoscalerStatus', {
  required: {
    desiredReplicas: int32(4),
  },
  optional: {
    observedGeneration: int64(1, { keepZero: true }),
    lastScaleTime: time(2),
    currentReplicas: int32(3),
    currentMetrics: list(5, ref<MetricStatus>('autoscaling/v2.MetricStatus'), { always: true }),
    conditions: list(6, ref<HorizontalPodAutoscalerCondition>('autoscaling/v2.HorizontalPodAutoscalerCondition'), {
      keys: ['type'],
      mergeKey: 'type',
    }),
  },
})
export interface HorizontalPodAutoscalerStatus extends Infer<typeof HorizontalPodAutoscalerStatus> {}

export const HorizontalPodAutoscalerCondition = schema('autoscaling/v2.HorizontalPodAutoscalerCondition', {
  required: {
    type: oneOf(1, HorizontalPodAutoscalerConditionType),
    status: oneOf(2, ConditionStatus),
  },
  optional: {
    lastTransitionTime: time(3, { always: true }),
    reason: string(4),
    message: string(5),
  },
})
export interface HorizontalPodAutoscalerCondition extends Infer<typeof HorizontalPodAutoscalerCondition> {}

export const MetricStatus = schema('autoscaling/v2.MetricStatus', {
  required: {
    type: oneOf(1, MetricSourceType),
  },
  optional: {
    object: ref<ObjectMetricStatus>(2, 'autoscaling/v2.ObjectMetricStatus'),
    pods: ref<PodsMetricStatus>(3, 'autoscaling/v2.PodsMetricStatus'),
    resource: ref<ResourceMetricStatus>(4, 'autoscaling/v2.ResourceMetricStatus'),
    external: ref<ExternalMetricStatus>(5, 'autoscaling/v2.ExternalMetricStatus'),
    containerResource: ref<ContainerResourceMetricStatus>(7, 'autoscaling/v2.ContainerResourceMetricStatus'),
  },
})
export interface MetricStatus extends Infer<typeof MetricStatus> {}

export const ContainerResourceMetricStatus = schema('autoscaling/v2.ContainerResourceMetricStatus', {
  required: {
    name: oneOf(1, ResourceName),
    current: ref<MetricValueStatus>(2, 'autoscaling/v2.MetricValueStatus'),
    container: string(3),
  },
})
export interface ContainerResourceMetricStatus extends Infer<typeof ContainerResourceMetricStatus> {}

export const MetricValueStatus = schema('autoscaling/v2.MetricValueStatus', {
  optional: {
    value: quantity(1),
    averageValue: quantity(2),
    averageUtilization: int32(3, { keepZero: true }),
  },
})
export interface MetricValueStatus extends Infer<typeof MetricValueStatus> {}

export const ExternalMetricStatus = schema('autoscaling/v2.ExternalMetricStatus', {
  required: {
    metric: ref<MetricIdentifier>(1, 'autoscaling/v2.MetricIdentifier'),
    current: ref<MetricValueStatus>(2, 'autoscaling/v2.MetricValueStatus'),
  },
})
export interface ExternalMetricStatus extends Infer<typeof ExternalMetricStatus> {}

export const ObjectMetricStatus = schema('autoscaling/v2.ObjectMetricStatus', {
  required: {
    metric: ref<MetricIdentifier>(1, 'autoscaling/v2.MetricIdentifier'),
    current: ref<MetricValueStatus>(2, 'autoscaling/v2.MetricValueStatus'),
    describedObject: ref<CrossVersionObjectReference>(3, 'autoscaling/v2.CrossVersionObjectReference'),
  },
})
export interface ObjectMetricStatus extends Infer<typeof ObjectMetricStatus> {}

export const PodsMetricStatus = schema('autoscaling/v2.PodsMetricStatus', {
  required: {
    metric: ref<MetricIdentifier>(1, 'autoscaling/v2.MetricIdentifier'),
    current: ref<MetricValueStatus>(2, 'autoscaling/v2.MetricValueStatus'),
  },
})
export interface PodsMetricStatus extends Infer<typeof PodsMetricStatus> {}

export const ResourceMetricStatus = schema('autoscaling/v2.ResourceMetricStatus', {
  required: {
    name: oneOf(1, ResourceName),
    current: ref<MetricValueStatus>(2, 'autoscaling/v2.MetricValueStatus'),
  },
})
export interface ResourceMetricStatus extends Infer<typeof ResourceMetricStatus> {}
