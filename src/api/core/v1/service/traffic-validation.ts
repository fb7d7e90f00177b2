/** Validates the traffic policies, the session affinity and the source ranges of a service. */
import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { validateLegacyCidr } from '../../../validation/addresses.js'
import { validatePortNumber } from '../../../validation/ports.js'
import type { Service, SessionAffinityConfig } from '../service.js'
import { isExternallyAccessible, needsHealthCheckPort } from './types.js'

const specPath = fieldPath('spec')
const onlyForLoadBalancers = "may only be used when `type` is 'LoadBalancer'"
const secondsPerDay = 86_400

export function* validateSessionAffinity({ spec }: Service): Iterable<field.FieldError> {
  const { sessionAffinity, sessionAffinityConfig } = spec
  const path = specPath.child('sessionAffinity')
  if (!sessionAffinity) yield field.required(path)
  else if (sessionAffinity === 'ClientIP') yield* validateClientIp(sessionAffinityConfig)
  else if (sessionAffinity !== 'None') yield field.notSupported(path, sessionAffinity, ['ClientIP', 'None'])
  else if (sessionAffinityConfig)
    yield field.forbidden(specPath.child('sessionAffinityConfig'), 'must not be set when session affinity is None')
}

/** The defaults set a timeout. */
function* validateClientIp(config: SessionAffinityConfig | undefined): Iterable<field.FieldError> {
  const timeout = config?.clientIP?.timeoutSeconds ?? 0
  if (timeout > 0 && timeout <= secondsPerDay) return
  const path = specPath.child('sessionAffinityConfig', 'clientIP', 'timeoutSeconds')
  yield field.invalid(path, timeout, `must be greater than 0 and less than ${secondsPerDay}`)
}

/** The annotation that preceded the field. */
export const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges'

export function* validateSourceRanges({ spec, metadata }: Service, old?: Service): Iterable<field.FieldError> {
  const ranges = spec.loadBalancerSourceRanges ?? []
  const annotation = metadata.annotations?.[sourceRangesAnnotation]
  const isBalanced = spec.type === 'LoadBalancer'
  if (ranges.length > 0) {
    const path = specPath.child('LoadBalancerSourceRanges')
    if (!isBalanced) yield field.forbidden(path, onlyForLoadBalancers)
    const before = old?.spec.loadBalancerSourceRanges?.map((range) => range.trim())
    for (const [i, range] of ranges.entries()) yield* validateLegacyCidr(range.trim(), path.index(i), before)
  } else if (annotation !== undefined) {
    const path = fieldPath('metadata', 'annotations').key(sourceRangesAnnotation)
    if (!isBalanced) yield field.forbidden(path, onlyForLoadBalancers)
    const before = rangesIn(old?.metadata.annotations?.[sourceRangesAnnotation])
    for (const range of rangesIn(annotation)) yield* validateLegacyCidr(range, path, before)
  }
}

function rangesIn(annotation = ''): readonly string[] {
  return annotation.trim() === '' ? [] : annotation.split(',').map((range) => range.trim())
}

export function* validateNodePortAllocation({ spec }: Service): Iterable<field.FieldError> {
  const { type, allocateLoadBalancerNodePorts } = spec
  if (type === 'LoadBalancer') {
    if (allocateLoadBalancerNodePorts === undefined) yield field.required(fieldPath('allocateLoadBalancerNodePorts'))
  } else if (allocateLoadBalancerNodePorts !== undefined)
    yield field.forbidden(specPath.child('allocateLoadBalancerNodePorts'), onlyForLoadBalancers)
}

export function* validateLoadBalancerClass({ spec }: Service, old?: Service): Iterable<field.FieldError> {
  const path = specPath.child('loadBalancerClass')
  const { type, loadBalancerClass } = spec
  if (type !== 'LoadBalancer') {
    if (loadBalancerClass !== undefined) yield field.forbidden(path, onlyForLoadBalancers)
    return
  }
  if (old?.spec.type === 'LoadBalancer' && old.spec.loadBalancerClass !== loadBalancerClass)
    yield field.invalid(path, loadBalancerClass, 'may not change once set')
  if (loadBalancerClass !== undefined) yield* field.invalidForEach(path, loadBalancerClass, labelKey(loadBalancerClass))
}

/** Does not require a health check port, because it is allocated later. */
export function* validateExternalTraffic(service: Service): Iterable<field.FieldError> {
  const { externalTrafficPolicy, healthCheckNodePort } = service.spec
  const path = specPath.child('externalTrafficPolicy')
  if (!isExternallyAccessible(service.spec)) {
    if (externalTrafficPolicy)
      yield field.invalid(path, externalTrafficPolicy, 'may only be set for externally-accessible services')
  } else if (!externalTrafficPolicy) yield field.required(path)
  else if (externalTrafficPolicy !== 'Cluster' && externalTrafficPolicy !== 'Local')
    yield field.notSupported(path, externalTrafficPolicy, ['Cluster', 'Local'])
  if (!healthCheckNodePort) return
  const portPath = specPath.child('healthCheckNodePort')
  if (needsHealthCheckPort(service)) yield* validatePortNumber(healthCheckNodePort, portPath)
  else
    yield field.invalid(
      portPath,
      healthCheckNodePort,
      "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
    )
}

export function* validateHealthCheckPortUpdate(service: Service, old: Service): Iterable<field.FieldError> {
  if (!needsHealthCheckPort(service) || !needsHealthCheckPort(old)) return
  if (service.spec.healthCheckNodePort !== old.spec.healthCheckNodePort)
    yield field.forbidden(specPath.child('healthCheckNodePort'), 'field is immutable')
}

export function* validateInternalTraffic({
  spec: { type, internalTrafficPolicy },
}: Service): Iterable<field.FieldError> {
  const path = specPath.child('internalTrafficPolicy')
  if (internalTrafficPolicy === undefined) {
    if (type === 'NodePort' || type === 'LoadBalancer' || type === 'ClusterIP') yield field.required(path)
  } else if (internalTrafficPolicy !== 'Cluster' && internalTrafficPolicy !== 'Local')
    yield field.notSupported(path, internalTrafficPolicy, ['Cluster', 'Local'])
}

const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'] as const

export function* validateTrafficDistribution({ spec: { trafficDistribution } }: Service): Iterable<field.FieldError> {
  const isDistribution: ReadonlySet<string> = new Set(distributions)
  if (trafficDistribution !== undefined && !isDistribution.has(trafficDistribution))
    yield field.notSupported(specPath.child('trafficDistribution'), trafficDistribution, distributions)
}
