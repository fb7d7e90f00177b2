/** Defaults of autoscalers, shared with v1. */
import type { Draft } from '../../../schema/infer.js'
import { declareDefaults } from '../../../schema/schema.js'
import {
  HorizontalPodAutoscalerBehavior,
  HorizontalPodAutoscalerSpec,
  type HPAScalingRules,
} from './horizontal-pod-autoscaler.js'

const cpuUtilization = 80

export function setSpecDefaults(spec: Draft<HorizontalPodAutoscalerSpec>): void {
  spec.minReplicas ??= 1
  if (spec.metrics && spec.metrics.length > 0) return
  const target = { type: 'Utilization' as const, averageUtilization: cpuUtilization }
  spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
}

/** Completes a behavior. An absent behavior stays absent, and the controller decides. */
export function setBehaviorDefaults(behavior: Draft<HorizontalPodAutoscalerBehavior>): void {
  behavior.scaleUp = { ...scaleUpDefaults(), ...behavior.scaleUp }
  behavior.scaleDown = { ...scaleDownDefaults(), ...behavior.scaleDown }
}

function scaleUpDefaults(): Draft<HPAScalingRules> {
  return {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  }
}

/** Without a stabilization window, which is a flag of the controller. */
function scaleDownDefaults(): Draft<HPAScalingRules> {
  return { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }
}

export const autoscalerSpecDefaults = declareDefaults<HorizontalPodAutoscalerSpec>(
  HorizontalPodAutoscalerSpec,
  setSpecDefaults,
)

export const autoscalerBehaviorDefaults = declareDefaults<HorizontalPodAutoscalerBehavior>(
  HorizontalPodAutoscalerBehavior,
  setBehaviorDefaults,
)
