/** The behavior of an autoscaler in annotations, with the field names of upstream's internal types. */
import type { Draft } from '../../../schema/infer.js'
import type { HorizontalPodAutoscalerBehavior, HPAScalingRules } from '../v2/horizontal-pod-autoscaler.js'
import type { AnnotatedObject } from './annotation-json.js'
import { present } from './metric-annotation.js'

/** Writes all members, including absent ones. */
export function annotatedBehavior({ scaleUp, scaleDown }: HorizontalPodAutoscalerBehavior): object {
  return { ScaleUp: annotatedScaling(scaleUp), ScaleDown: annotatedScaling(scaleDown) }
}

function annotatedScaling(scaling: HPAScalingRules | undefined): object | null {
  if (!scaling) return null
  const { stabilizationWindowSeconds, selectPolicy, policies, tolerance } = scaling
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds ?? null,
    SelectPolicy: selectPolicy ?? null,
    Policies:
      policies?.map(({ type, value, periodSeconds }) => ({ Type: type, Value: value, PeriodSeconds: periodSeconds })) ??
      null,
    Tolerance: tolerance ?? null,
  }
}

export function readBehavior(behavior: AnnotatedObject): Draft<HorizontalPodAutoscalerBehavior> {
  return present({
    scaleUp: behavior.object('ScaleUp', readScaling),
    scaleDown: behavior.object('ScaleDown', readScaling),
  })
}

function readScaling(scaling: AnnotatedObject): Draft<HPAScalingRules> {
  return present<HPAScalingRules>({
    stabilizationWindowSeconds: scaling.optionalInteger('StabilizationWindowSeconds'),
    selectPolicy: scaling.optionalText('SelectPolicy'),
    policies: scaling.list('Policies', (policy) => ({
      type: policy.text('Type'),
      value: policy.integer('Value'),
      periodSeconds: policy.integer('PeriodSeconds'),
    })),
    tolerance: scaling.quantity('Tolerance'),
  })
}
