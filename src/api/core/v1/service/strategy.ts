import { fieldPath } from '../../../../schema/field-path.js'
import { quote } from '../../../../schema/quote.js'
import { declareDefaults } from '../../../../schema/schema.js'
import { declareStrategy } from '../../../../schema/strategy.js'
import { cidrWarnings, ipWarnings } from '../../../../schema/values/addresses.js'
import { labelName } from '../../../metadata/name-validation.js'
import { Service, ServicePort, ServiceSpec } from '../service.js'
import { alignClusterIps, dropUnneeded, keepAllocated } from './changes.js'
import { balancerWarnings } from './load-balancer-validation.js'
import { isExternallyAccessible, noClusterIp } from './types.js'
import {
  topologyHints,
  topologyMode,
  validateService,
  validateServiceStatus,
  validateServiceUpdate,
} from './validation.js'

const threeHours = 10_800

export const serviceSpecDefaults = declareDefaults<ServiceSpec>(ServiceSpec, (spec) => {
  spec.type ||= 'ClusterIP'
  spec.sessionAffinity ||= 'None'
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  const isClientKept = spec.sessionAffinity === 'ClientIP'
  if (isClientKept && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined)
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: threeHours } }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster'
  if (spec.type === 'ClusterIP' || spec.type === 'NodePort' || spec.type === 'LoadBalancer')
    spec.internalTrafficPolicy ??= 'Cluster'
  if (spec.type === 'LoadBalancer') spec.allocateLoadBalancerNodePorts ??= true
})

export const servicePortDefaults = declareDefaults<ServicePort>(ServicePort, (port) => {
  port.targetPort ||= port.port
})

export const serviceDefaults = declareDefaults<Service>(Service, ({ spec, status }) => {
  if (spec.type !== 'LoadBalancer') return
  for (const address of status.loadBalancer?.ingress ?? []) if (address.ip) address.ipMode ??= 'VIP'
})

export const serviceStrategy = declareStrategy<Service>(Service, {
  name: labelName,
  prepareCreate(draft) {
    draft.status = { loadBalancer: {} }
    alignClusterIps(draft)
  },
  prepareUpdate(draft, old) {
    draft.status = old.status as typeof draft.status
    keepAllocated(draft, old)
    alignClusterIps(draft, old)
    dropUnneeded(draft, old)
  },
  validate: (service) => validateService(service),
  validateUpdate: validateServiceUpdate,
  warnings: serviceWarnings,
  fields: {
    'spec.clusterIP': ({ spec }) => spec.clusterIP ?? '',
    'spec.type': ({ spec }) => spec.type ?? '',
  },
  createdByUpdate: true,
  subresources: {
    status: {
      validateUpdate: validateServiceStatus,
      warnings: ({ status }) =>
        balancerWarnings(status.loadBalancer?.ingress, fieldPath('status', 'loadBalancer', 'ingress')),
    },
  },
})

function serviceWarnings(service: Service): readonly string[] {
  const { spec, metadata } = service
  const warnings: string[] = []
  if (metadata.annotations?.[topologyHints] !== undefined)
    warnings.push(`annotation ${topologyHints} is deprecated, please use ${topologyMode} instead`)
  warnings.push(...addressWarnings(service))
  const hasExternalName = spec.type === 'ExternalName'
  if (hasExternalName && spec.externalIPs?.length)
    warnings.push(`spec.externalIPs is ignored when spec.type is ${quote('ExternalName')}`)
  if (!hasExternalName && spec.externalName)
    warnings.push(`spec.externalName is ignored when spec.type is not ${quote('ExternalName')}`)
  if (spec.trafficDistribution === 'PreferClose')
    warnings.push('spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"')
  return warnings
}

const specPath = fieldPath('spec')

function addressWarnings({ spec }: Service): readonly string[] {
  const { clusterIPs = [], externalIPs = [], loadBalancerIP = '', loadBalancerSourceRanges = [] } = spec
  const isHeadless = spec.type === 'ClusterIP' && spec.clusterIP === noClusterIp
  const warnings: string[] = []
  if (isHeadless) warnings.push(...ignoredByHeadless(spec))
  else warnings.push(...clusterIPs.flatMap((ip, i) => ipWarnings(specPath.child('clusterIPs').index(i), ip)))
  warnings.push(...externalIPs.flatMap((ip, i) => ipWarnings(specPath.child('externalIPs').index(i), ip)))
  if (externalIPs.length > 0 && !isHeadless && spec.type !== 'ExternalName')
    warnings.push('spec.externalIPs is deprecated and may no longer be implemented in some clusters')
  if (loadBalancerIP !== '') warnings.push(...ipWarnings(specPath.child('loadBalancerIP'), loadBalancerIP))
  const rangesPath = specPath.child('loadBalancerSourceRanges')
  warnings.push(...loadBalancerSourceRanges.flatMap((range, i) => cidrWarnings(rangesPath.index(i), range)))
  return warnings
}

function ignoredByHeadless({ loadBalancerIP, externalIPs, sessionAffinity }: ServiceSpec): readonly string[] {
  const ignored = [
    ...(loadBalancerIP ? ['loadBalancerIP'] : []),
    ...(externalIPs?.length ? ['externalIPs'] : []),
    ...(sessionAffinity !== 'None' ? ['SessionAffinity'] : []),
  ]
  return ignored.map((name) => `spec.${name} is ignored for headless services`)
}
