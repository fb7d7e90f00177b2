/** The table of autoscalers, for v1 and v2. */
import type { JsonValue } from '../../../schema/declaration.js'
import { declareTable, type TableCells } from '../../../schema/schema.js'
import {
  HorizontalPodAutoscaler,
  type MetricSpec,
  type MetricStatus,
  type MetricTarget,
  type MetricValueStatus,
} from './horizontal-pod-autoscaler.js'

const unknown = '<unknown>'
const shownMetrics = 2

export const autoscalerCells = {
  Reference: ({ spec }) => `${spec.scaleTargetRef.kind}/${spec.scaleTargetRef.name}`,
  Targets: targetsCell,
  MinPods: ({ spec }) => (spec.minReplicas === undefined ? '<unset>' : String(spec.minReplicas)),
  MaxPods: ({ spec }) => spec.maxReplicas,
  Replicas: ({ status }) => status.currentReplicas ?? 0,
} satisfies TableCells<HorizontalPodAutoscaler>

export const autoscalerTable = declareTable<HorizontalPodAutoscaler>(HorizontalPodAutoscaler, autoscalerCells)

function targetsCell({ spec, status }: HorizontalPodAutoscaler): JsonValue {
  const { metrics = [] } = spec
  if (metrics.length === 0) return '<none>'
  // Current metrics have the same indices as the target metrics.
  const texts = metrics.slice(0, shownMetrics).map((metric, i) => metricText(metric, status.currentMetrics?.[i]))
  const more = metrics.length > shownMetrics ? ` + ${metrics.length - shownMetrics} more...` : ''
  return texts.join(', ') + more
}

function metricText(metric: MetricSpec, status: MetricStatus | undefined): string {
  switch (metric.type) {
    case 'External':
      return valueText(metric.external?.target, status?.external?.current)
    case 'Object':
      return valueText(metric.object?.target, status?.object?.current)
    case 'Pods':
      return `${averageText(status?.pods?.current)}/${metric.pods?.target.averageValue ?? '0'}`
    case 'Resource':
      return `${metric.resource?.name}: ${shareText(metric.resource?.target, status?.resource?.current)}`
    case 'ContainerResource':
      return `${metric.containerResource?.name}: ${shareText(metric.containerResource?.target, status?.containerResource?.current)}`
    default:
      return '<unknown type>'
  }
}

function averageText(current: MetricValueStatus | undefined): string {
  return current ? (current.averageValue ?? '0') : unknown
}

/** A value, or an average per pod. */
function valueText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  return `${current ? (current.value ?? '0') : unknown}/${target?.value ?? '0'}`
}

/** An average per pod, or a percentage of the requests. */
function shareText(target: MetricTarget | undefined, current: MetricValueStatus | undefined): string {
  if (target?.averageValue !== undefined) return `${averageText(current)}/${target.averageValue}`
  return `${percentText(current?.averageUtilization) ?? unknown}/${percentText(target?.averageUtilization) ?? '<auto>'}`
}

function percentText(utilization: number | undefined): string | undefined {
  return utilization === undefined ? undefined : `${utilization}%`
}
