/** Validates metrics and their targets. */
import * as field from '../../../schema/field-errors.js'
import type { FieldPath } from '../../../schema/field-path.js'
import { dnsLabel, pathSegment } from '../../../schema/names.js'
import { Quantity } from '../../../schema/values/quantity.js'
import { validateContainerResourceName } from '../../core/v1/resource-requirements/resource-list-validation.js'
import type {
  ContainerResourceMetricSource,
  ExternalMetricSource,
  MetricIdentifier,
  MetricSpec,
  MetricTarget,
  ObjectMetricSource,
  PodsMetricSource,
  ResourceMetricSource,
} from './horizontal-pod-autoscaler.js'
import { type ReferenceLeniency, validateObjectReference } from './object-reference-validation.js'

const types: readonly string[] = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

/** The sources of a metric in the order of validation. The first one that is set counts. */
const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const

type Source = (typeof sources)[number]

const sourceOf: Readonly<Record<string, Source>> = {
  Object: 'object',
  External: 'external',
  Pods: 'pods',
  Resource: 'resource',
  ContainerResource: 'containerResource',
}

export function validateMetric(
  metric: MetricSpec,
  path: FieldPath,
  leniency: ReferenceLeniency,
): readonly field.FieldError[] {
  const { type } = metric
  const given = sources.filter((name) => metric[name] !== undefined)
  const expected = sourceOf[type]
  const errors: field.FieldError[] = [
    ...(type === '' ? [field.required(path.child('type'), 'must specify a metric source type')] : []),
    ...(types.includes(type) ? [] : [field.notSupported(path.child('type'), type, types)]),
    ...(given[0] ? validateSource(metric, given[0], path.child(given[0]), leniency) : []),
  ]
  if (!expected) errors.push(field.notSupported(path.child('type'), type, types))
  else if (!given.includes(expected))
    errors.push(field.required(path.child(expected), 'must populate information for the given metric source'))
  if (given.length > 1)
    for (const other of given.filter((name) => name !== expected))
      errors.push(field.forbidden(path.child(other), 'must populate the given metric source only'))
  return errors
}

function validateSource(
  metric: MetricSpec,
  source: Source,
  path: FieldPath,
  leniency: ReferenceLeniency,
): readonly field.FieldError[] {
  switch (source) {
    case 'object':
      return validateObjectSource(metric.object!, path, leniency)
    case 'external':
      return validateExternalSource(metric.external!, path)
    case 'pods':
      return validatePodsSource(metric.pods!, path)
    case 'resource':
      return validateResourceSource(metric.resource!, path)
    case 'containerResource':
      return validateContainerResourceSource(metric.containerResource!, path)
  }
}

function validateObjectSource(
  { describedObject, metric, target }: ObjectMetricSource,
  path: FieldPath,
  leniency: ReferenceLeniency,
): readonly field.FieldError[] {
  return [
    ...validateObjectReference(describedObject, path.child('describedObject'), leniency),
    ...validateIdentifier(metric, path.child('metric')),
    ...validateTarget(target, path.child('target')),
    ...validateSomeValue(target, path, 'must set either a target value or averageValue'),
  ]
}

function validateExternalSource(
  { metric, target }: ExternalMetricSource,
  path: FieldPath,
): readonly field.FieldError[] {
  const hasBoth = target.value !== undefined && target.averageValue !== undefined
  const why = 'may not set both a target value for metric and a per-pod target'
  return [
    ...validateIdentifier(metric, path.child('metric')),
    ...validateTarget(target, path.child('target')),
    ...validateSomeValue(target, path, 'must set either a target value for metric or a per-pod target'),
    ...(hasBoth ? [field.forbidden(path.child('target', 'value'), why)] : []),
  ]
}

function validateSomeValue(target: MetricTarget, path: FieldPath, why: string): readonly field.FieldError[] {
  if (target.value !== undefined || target.averageValue !== undefined) return field.none
  return [field.required(path.child('target', 'averageValue'), why)]
}

function validatePodsSource({ metric, target }: PodsMetricSource, path: FieldPath): readonly field.FieldError[] {
  const why = 'must specify a positive target averageValue'
  return [
    ...validateIdentifier(metric, path.child('metric')),
    ...validateTarget(target, path.child('target')),
    ...(target.averageValue === undefined ? [field.required(path.child('target', 'averageValue'), why)] : []),
  ]
}

function validateResourceSource({ name, target }: ResourceMetricSource, path: FieldPath): readonly field.FieldError[] {
  return [...validateResourceName(name, path.child('name')), ...validateShare(target, path.child('target'))]
}

function validateContainerResourceSource(
  { name, container, target }: ContainerResourceMetricSource,
  path: FieldPath,
): readonly field.FieldError[] {
  const containerPath = path.child('container')
  return [
    ...validateResourceName(name, path.child('name')),
    ...(name === '' ? [] : validateContainerResourceName(name, path.child('name'))),
    ...(container === ''
      ? [field.required(containerPath, 'must specify a container')]
      : field.invalidForEach(containerPath, container, dnsLabel(container))),
    ...validateShare(target, path.child('target')),
  ]
}

function validateResourceName(name: string, path: FieldPath): readonly field.FieldError[] {
  return name === '' ? [field.required(path, 'must specify a resource name')] : field.none
}

/** Requires exactly one of an average per pod and a percentage of the requests. */
function validateShare(target: MetricTarget, path: FieldPath): readonly field.FieldError[] {
  const hasUtilization = target.averageUtilization !== undefined
  const hasValue = target.averageValue !== undefined
  const errors: field.FieldError[] = [...validateTarget(target, path)]
  if (!hasUtilization && !hasValue) {
    const why = 'must set either a target raw value or a target utilization'
    errors.push(field.required(path.child('averageUtilization'), why))
  }
  if (hasUtilization && hasValue) {
    const why = 'may not set both a target raw value and a target utilization'
    errors.push(field.forbidden(path.child('averageValue'), why))
  }
  return errors
}

const targetTypes: readonly string[] = ['Utilization', 'Value', 'AverageValue']

function validateTarget(target: MetricTarget, path: FieldPath): readonly field.FieldError[] {
  const { type, averageUtilization } = target
  const errors: field.FieldError[] = []
  if (type === '') errors.push(field.required(path.child('type'), 'must specify a metric target type'))
  if (!targetTypes.includes(type))
    errors.push(field.invalid(path.child('type'), type, 'must be either Utilization, Value, or AverageValue'))
  for (const name of ['value', 'averageValue'] as const) {
    const quantity = target[name]
    if (quantity !== undefined && Quantity.parse(quantity).sign() !== 1)
      errors.push(field.invalid(path.child(name), quantity, 'must be positive'))
  }
  if (averageUtilization !== undefined && averageUtilization < 1)
    errors.push(field.invalid(path.child('averageUtilization'), averageUtilization, 'must be greater than 0'))
  return errors
}

function validateIdentifier({ name }: MetricIdentifier, path: FieldPath): readonly field.FieldError[] {
  const namePath = path.child('name')
  if (name === '') return [field.required(namePath, 'must specify a metric name')]
  return field.invalidForEach(namePath, name, pathSegment(name))
}
