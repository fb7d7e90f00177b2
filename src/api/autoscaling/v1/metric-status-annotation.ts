/** The current metrics and the conditions of an autoscaler in annotations. */
import type { Draft } from '../../../schema/infer.js'
import type {
  HorizontalPodAutoscalerCondition,
  MetricStatus,
  MetricValueStatus,
} from '../v2/horizontal-pod-autoscaler.js'
import type { AnnotatedObject } from './annotation-json.js'
import { annotatedReference, present, readIdentifier, readReference } from './metric-annotation.js'

/** Members that are undefined are left out of the text; the others stand in this order. */
export function annotatedMetricStatus(metric: MetricStatus): object {
  const { type, object, pods, resource, containerResource, external } = metric
  return {
    type,
    object: object && {
      target: annotatedReference(object.describedObject),
      metricName: object.metric.name,
      currentValue: object.current.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.current.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      currentAverageValue: pods.current.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...annotatedCurrent(resource.current) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...annotatedCurrent(containerResource.current),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      currentValue: external.current.value ?? '0',
      currentAverageValue: external.current.averageValue,
    },
  }
}

function annotatedCurrent({ averageUtilization, averageValue }: MetricValueStatus): object {
  return { currentAverageUtilization: averageUtilization, currentAverageValue: averageValue ?? '0' }
}

export function readMetricStatus(metric: AnnotatedObject): Draft<MetricStatus> {
  const type = metric.text('type')
  const object = metric.object('object', (source) => ({
    metric: readIdentifier(source, 'selector'),
    current: readCurrent(source, 'currentValue', 'averageValue'),
    describedObject: source.object('target', readReference) ?? { kind: '', name: '' },
  }))
  const pods = metric.object('pods', (source) => ({
    metric: readIdentifier(source, 'selector'),
    current: present<MetricValueStatus>({ averageValue: source.quantity('currentAverageValue') }),
  }))
  const resource = metric.object('resource', readResource)
  const containerResource = metric.object('containerResource', (source) => ({
    ...readResource(source),
    container: source.text('container'),
  }))
  const external = metric.object('external', (source) => ({
    metric: readIdentifier(source, 'metricSelector'),
    current: readCurrent(source, 'currentValue', 'currentAverageValue'),
  }))
  return present({ type, object, pods, resource, containerResource, external })
}

function readCurrent(source: AnnotatedObject, value: string, averageValue: string): Draft<MetricValueStatus> {
  return present({ value: source.quantity(value), averageValue: source.quantity(averageValue) })
}

function readResource(source: AnnotatedObject) {
  const averageUtilization = source.optionalInteger('currentAverageUtilization')
  const averageValue = source.quantity('currentAverageValue')
  return {
    name: source.text('name'),
    current: present<MetricValueStatus>({ averageValue, averageUtilization }),
  }
}

export function annotatedCondition(condition: HorizontalPodAutoscalerCondition): object {
  const { type, status, lastTransitionTime, reason, message } = condition
  return {
    type,
    status,
    lastTransitionTime: lastTransitionTime ?? null,
    reason: reason || undefined,
    message: message || undefined,
  }
}

export function readCondition(condition: AnnotatedObject): Draft<HorizontalPodAutoscalerCondition> {
  return present({
    type: condition.text('type'),
    status: condition.text('status'),
    lastTransitionTime: condition.optionalText('lastTransitionTime'),
    reason: condition.optionalText('reason'),
    message: condition.optionalText('message'),
  })
}
