/** Metrics in annotations, in the flat form of v2beta1. */
import type { Draft } from '../../../schema/infer.js'
import type { LabelSelector } from '../../meta/v1/label-selector.js'
import type {
  CrossVersionObjectReference,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
} from '../v2/horizontal-pod-autoscaler.js'
import type { AnnotatedObject } from './annotation-json.js'

/** Members that are undefined are left out of the text; the others stand in this order. */
export function annotatedMetric(metric: MetricSpec): object {
  const { type, object, pods, resource, containerResource, external } = metric
  return {
    type,
    object: object && {
      target: annotatedReference(object.describedObject),
      metricName: object.metric.name,
      targetValue: object.target.value ?? '0',
      selector: object.metric.selector,
      averageValue: object.target.averageValue,
    },
    pods: pods && {
      metricName: pods.metric.name,
      targetAverageValue: pods.target.averageValue ?? '0',
      selector: pods.metric.selector,
    },
    resource: resource && { name: resource.name, ...annotatedShare(resource.target) },
    containerResource: containerResource && {
      name: containerResource.name,
      ...annotatedShare(containerResource.target),
      container: containerResource.container,
    },
    external: external && {
      metricName: external.metric.name,
      metricSelector: external.metric.selector,
      targetValue: external.target.value,
      targetAverageValue: external.target.averageValue,
    },
  }
}

export function annotatedReference({ kind, name, apiVersion }: CrossVersionObjectReference): object {
  return { kind, name, apiVersion: apiVersion || undefined }
}

function annotatedShare({ averageUtilization, averageValue }: MetricTarget): object {
  return { targetAverageUtilization: averageUtilization, targetAverageValue: averageValue }
}

export function readMetric(metric: AnnotatedObject): Draft<MetricSpec> {
  const type = metric.text('type')
  const object = metric.object('object', readObjectSource)
  const pods = metric.object('pods', (source) => ({
    metric: readIdentifier(source, 'selector'),
    target: { type: 'AverageValue' as const, averageValue: source.quantity('targetAverageValue') ?? '0' },
  }))
  const resource = metric.object('resource', readResource)
  const containerResource = metric.object('containerResource', (source) => ({
    ...readResource(source),
    container: source.text('container'),
  }))
  const external = metric.object('external', (source) => ({
    metric: readIdentifier(source, 'metricSelector'),
    target: readTarget(source.quantity('targetValue'), source.quantity('targetAverageValue')),
  }))
  return present({ type, object, pods, resource, containerResource, external })
}

function readObjectSource(source: AnnotatedObject) {
  const value = source.quantity('targetValue') ?? '0'
  const averageValue = source.quantity('averageValue')
  return {
    describedObject: source.object('target', readReference) ?? { kind: '', name: '' },
    metric: readIdentifier(source, 'selector'),
    // The value is always written; beside an average it has no meaning.
    target: readTarget(averageValue !== undefined && value === '0' ? undefined : value, averageValue),
  }
}

function readTarget(value: string | undefined, averageValue: string | undefined): Draft<MetricTarget> {
  return present({ type: averageValue === undefined ? 'Value' : 'AverageValue', value, averageValue })
}

function readResource(source: AnnotatedObject) {
  const averageUtilization = source.optionalInteger('targetAverageUtilization')
  const averageValue = source.quantity('targetAverageValue')
  const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization'
  return {
    name: source.text('name'),
    target: present({ type, averageValue, averageUtilization }) as MetricTarget,
  }
}

export function readReference(reference: AnnotatedObject): Draft<CrossVersionObjectReference> {
  const apiVersion = reference.optionalText('apiVersion')
  return present({ kind: reference.text('kind'), name: reference.text('name'), apiVersion })
}

export function readIdentifier(source: AnnotatedObject, selectorName: string): Draft<MetricIdentifier> {
  return present({ name: source.text('metricName'), selector: source.json<LabelSelector>(selectorName) })
}

/** Removes undefined members. */
export function present<T extends object>(object: { [K in keyof T]: T[K] | undefined }): Draft<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Draft<T>
}
