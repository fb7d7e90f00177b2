import { declareTable } from '../../../../schema/schema.js'
import { LabelSelector } from '../../../selectors/label-selector.js'
import { Service, type ServicePort } from '../service.js'
import { balancerAddresses } from './load-balancer-validation.js'

const nothing = '<none>'

export const serviceTable = declareTable<Service>(Service, {
  Type: ({ spec }) => spec.type ?? '',
  'Cluster-IP': ({ spec }) => spec.clusterIPs?.[0] ?? nothing,
  'External-IP': externalAddress,
  'Port(s)': ({ spec }) => (spec.ports ?? []).map(portText).join(',') || nothing,
  Selector: ({ spec }) => LabelSelector.ofLabels(spec.selector ?? {}).toString() || nothing,
})

function externalAddress({ spec, status }: Service): string {
  const externalIps = spec.externalIPs ?? []
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return externalIps.join(',') || nothing
    case 'LoadBalancer':
      return [...balancerAddresses(status.loadBalancer?.ingress), ...externalIps].join(',') || '<pending>'
    case 'ExternalName':
      return spec.externalName ?? ''
    default:
      return '<unknown>'
  }
}

function portText({ port, nodePort, protocol }: ServicePort): string {
  return `${port}${nodePort ? `:${nodePort}` : ''}/${protocol}`
}
