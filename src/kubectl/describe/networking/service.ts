import type { Service, ServicePort } from '../../../api/core/v1/service.js'
import type { EndpointSlice } from '../../../api/discovery/v1/endpoint-slice.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText, pairsText, unsetText } from '../text.js'
import { endpointsOf, endpointsText } from './endpoints-text.js'

export const describeService: Describe<Service> = async (service, on) => {
  const { page } = on
  const { metadata, spec } = service
  const slices = await endpointsOf(metadata.name ?? '', metadata.namespace ?? '', on)
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.field('Selector', pairsText(spec.selector))
  page.field('Type', spec.type ?? '')
  writeAddresses(page, service)
  for (const port of spec.ports ?? []) writePort(page, port, slices)
  writeTraffic(page, service)
  await eventsOf(service, on)
}

function writeAddresses(page: DescriptionPage, { spec, status }: Service): void {
  const { ipFamilies = [], clusterIP = '', clusterIPs = [], externalIPs = [] } = spec
  if (spec.ipFamilyPolicy !== undefined) page.field('IP Family Policy', spec.ipFamilyPolicy)
  page.field('IP Families', ipFamilies.join(',') || noneText)
  page.field('IP', clusterIP)
  page.field('IPs', clusterIPs.join(',') || noneText)
  if (externalIPs.length > 0) page.field('External IPs', externalIPs.join(','))
  if (spec.loadBalancerIP) page.field('Desired LoadBalancer IP', spec.loadBalancerIP)
  if (spec.externalName) page.field('External Name', spec.externalName)
  const { ingress = [] } = status.loadBalancer ?? {}
  const texts = ingress.map(({ ip, ipMode, hostname = '' }) => (ip ? `${ip}${ipMode ? ` (${ipMode})` : ''}` : hostname))
  if (texts.length > 0) page.field('LoadBalancer Ingress', texts.join(', '))
}

function writePort(page: DescriptionPage, port: ServicePort, slices: readonly EndpointSlice[]): void {
  const { name = '', protocol = '', targetPort = 0, nodePort = 0 } = port
  const shownName = name || unsetText
  page.line(0, 'Port:', shownName, `${port.port}/${protocol}`)
  page.field('TargetPort', `${targetPort}/${protocol}`)
  if (nodePort !== 0) page.line(0, 'NodePort:', shownName, `${nodePort}/${protocol}`)
  page.field('Endpoints', endpointsText(slices, name))
}

function writeTraffic(page: DescriptionPage, { spec }: Service): void {
  page.field('Session Affinity', spec.sessionAffinity ?? '')
  if (spec.externalTrafficPolicy) page.field('External Traffic Policy', spec.externalTrafficPolicy)
  if (spec.internalTrafficPolicy !== undefined) page.field('Internal Traffic Policy', spec.internalTrafficPolicy)
  if (spec.healthCheckNodePort) page.field('HealthCheck NodePort', spec.healthCheckNodePort)
  const { loadBalancerSourceRanges: ranges = [] } = spec
  if (ranges.length > 0) page.field('LoadBalancer Source Ranges', ranges.join(','))
}
