/**
 * Converts autoscalers between v1 and v2, in which they are stored. v1 only has the CPU utilization; annotations carry everything else, so
 * that clients of v1 lose nothing. These annotations are never stored.
 */
import type { Draft } from '../../../schema/infer.js'
import type { ObjectMeta } from '../../meta/v1/object-meta.js'
import { setBehaviorDefaults, setSpecDefaults } from '../v2/autoscaler-defaults.js'
import type {
  HorizontalPodAutoscaler as Autoscaler2,
  HorizontalPodAutoscalerSpec as Spec2,
  HorizontalPodAutoscalerStatus as Status2,
} from '../v2/horizontal-pod-autoscaler.js'
import { AnnotatedObject, annotatedList, annotationText, readAnnotation } from './annotation-json.js'
import { annotatedBehavior, readBehavior } from './behavior-annotation.js'
import type {
  HorizontalPodAutoscaler as Autoscaler1,
  HorizontalPodAutoscalerSpec as Spec1,
  HorizontalPodAutoscalerStatus as Status1,
} from './horizontal-pod-autoscaler.js'
import { annotatedMetric, present, readMetric } from './metric-annotation.js'
import {
  annotatedCondition,
  annotatedMetricStatus,
  readCondition,
  readMetricStatus,
} from './metric-status-annotation.js'

const prefix = 'autoscaling.alpha.kubernetes.io/'
const metricsKey = `${prefix}metrics`
const currentMetricsKey = `${prefix}current-metrics`
const conditionsKey = `${prefix}conditions`
const behaviorKey = `${prefix}behavior`
const carriers = [metricsKey, currentMetricsKey, conditionsKey, behaviorKey] as const

const noStatus: Status2 = { desiredReplicas: 0 }

type Annotations = Readonly<Record<string, string>>

export function toVersion2({ metadata, spec, status }: Autoscaler1): Pick<Autoscaler2, 'metadata' | 'spec' | 'status'> {
  const { annotations = {} } = metadata
  return {
    metadata: withAnnotations(metadata, withoutCarriers(annotations)),
    spec: specToVersion2(spec, annotations),
    status: statusToVersion2(status, annotations),
  }
}

/** Returns a complete spec, because the defaults of v2 are not set on objects from v1. */
function specToVersion2(spec: Spec1, annotations: Annotations): Spec2 {
  const { targetCPUUtilizationPercentage: averageUtilization, ...rest } = spec
  const others = readAnnotation(annotations[metricsKey], (value) => annotatedList(value, readMetric)) ?? []
  const behavior = readAnnotation(annotations[behaviorKey], (value) => readBehavior(new AnnotatedObject(value)))
  const target = { type: 'Utilization' as const, averageUtilization }
  const cpu = averageUtilization === undefined ? [] : [{ type: 'Resource', resource: { name: 'cpu', target } }]
  if (behavior) setBehaviorDefaults(behavior)
  const complete = present<Spec2>({ ...rest, metrics: [...others, ...cpu] as Spec2['metrics'], behavior })
  setSpecDefaults(complete)
  return complete as Spec2
}

function statusToVersion2(status: Status1, annotations: Annotations): Status2 {
  const { currentCPUUtilizationPercentage: averageUtilization, ...rest } = status
  const cpu =
    averageUtilization === undefined
      ? undefined
      : [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization } } }]
  const currentMetrics = readAnnotation(annotations[currentMetricsKey], (value) =>
    annotatedList(value, readMetricStatus),
  )
  const conditions = readAnnotation(annotations[conditionsKey], (value) => annotatedList(value, readCondition))
  return present<Status2>({
    ...rest,
    currentMetrics: currentMetrics ?? (cpu as Status2['currentMetrics'] | undefined),
    conditions,
  } as Draft<Status2>) as Status2
}

/** An object that is being created has no status yet. */
export function toVersion1({
  metadata,
  spec,
  status = noStatus,
}: Autoscaler2): Pick<Autoscaler1, 'metadata' | 'spec' | 'status'> {
  const annotations = { ...withoutCarriers(metadata.annotations ?? {}), ...carrying(spec, status) }
  return {
    metadata: withAnnotations(metadata, annotations),
    spec: specToVersion1(spec),
    status: statusToVersion1(status),
  }
}

function carrying(spec: Spec2, { currentMetrics, conditions }: Status2): Annotations {
  const others = (spec.metrics ?? []).filter((metric) => !isCpuUse(metric))
  const carried: Record<string, string> = {}
  const carry = (key: string, values: readonly object[]) => {
    if (values.length > 0) carried[key] = annotationText(values)
  }
  carry(metricsKey, others.map(annotatedMetric))
  // Includes the CPU utilization, because v1 has no field for its average value.
  carry(currentMetricsKey, (currentMetrics ?? []).map(annotatedMetricStatus))
  carry(conditionsKey, (conditions ?? []).map(annotatedCondition))
  if (spec.behavior) carried[behaviorKey] = annotationText(annotatedBehavior(spec.behavior))
  return carried
}

type Metric = NonNullable<Spec2['metrics']>[number]

function isCpuUse({ type, resource }: Metric): boolean {
  return type === 'Resource' && resource?.name === 'cpu' && resource.target.averageUtilization !== undefined
}

function specToVersion1({ metrics = [], behavior: _, ...rest }: Spec2): Spec1 {
  const cpu = metrics.find(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')
  const targetCPUUtilizationPercentage = cpu?.resource?.target.averageUtilization
  return present<Spec1>({ ...rest, targetCPUUtilizationPercentage } as Draft<Spec1>) as Spec1
}

function statusToVersion1({ currentMetrics, conditions: _, ...rest }: Status2): Status1 {
  const cpu = currentMetrics?.find(({ type, resource }) => type === 'Resource' && resource?.name === 'cpu')
  return present<Status1>({
    ...rest,
    currentReplicas: rest.currentReplicas ?? 0,
    currentCPUUtilizationPercentage: cpu?.resource?.current.averageUtilization,
  } as Draft<Status1>) as Status1
}

function withoutCarriers(annotations: Annotations): Annotations {
  if (!carriers.some((key) => Object.hasOwn(annotations, key))) return annotations
  const rest: Record<string, string> = { ...annotations }
  for (const key of carriers) delete rest[key]
  return rest
}

function withAnnotations(metadata: ObjectMeta, annotations: Annotations): ObjectMeta {
  if (Object.keys(annotations).length > 0) return { ...metadata, annotations }
  const { annotations: _, ...rest } = metadata
  return rest
}
