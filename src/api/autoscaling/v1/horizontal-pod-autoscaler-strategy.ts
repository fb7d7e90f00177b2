import type { JsonValue } from '../../../schema/declaration.js'
import { declareDefaults, declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { autoscalerCells } from '../v2/autoscaler-cells.js'
import type { HorizontalPodAutoscaler as Autoscaler2 } from '../v2/horizontal-pod-autoscaler.js'
import { HorizontalPodAutoscaler } from './horizontal-pod-autoscaler.js'
import { toVersion1, toVersion2 } from './horizontal-pod-autoscaler-conversion.js'

export const horizontalPodAutoscalerDefaults = declareDefaults<HorizontalPodAutoscaler>(
  HorizontalPodAutoscaler,
  ({ spec }) => {
    spec.minReplicas ??= 1
  },
)

export const horizontalPodAutoscalerTable = declareTable<HorizontalPodAutoscaler>(
  HorizontalPodAutoscaler,
  Object.fromEntries(
    Object.entries(autoscalerCells).map(([name, cell]) => [
      name,
      (autoscaler: HorizontalPodAutoscaler): JsonValue => cell(toVersion2(autoscaler) as Autoscaler2),
    ]),
  ),
)

/** The strategy of v2, with conversion. */
export const horizontalPodAutoscalerStrategy = declareStrategy<HorizontalPodAutoscaler>(HorizontalPodAutoscaler, {
  stored: {
    type: 'autoscaling/v2.HorizontalPodAutoscaler',
    toStored: toVersion2,
    fromStored: toVersion1,
  },
})
