import type { Service } from '../../../api/core/v1/service.js'
import { ApiError } from '../../../api/errors.js'
import type { Ingress, IngressBackend } from '../../../api/networking/v1/ingress.js'
import type { IngressClass } from '../../../api/networking/v1/ingress-class.js'
import type { IPAddress } from '../../../api/networking/v1/ip-address.js'
import type { ServiceCIDR } from '../../../api/networking/v1/service-cidr.js'
import { compareText } from '../../../schema/text-order.js'
import { resourcePath } from '../../resources/resource-object.js'
import { writeTimedConditions } from '../cluster/namespace.js'
import type { Describe, DescribeContext } from '../context.js'
import { eventsOf } from '../events.js'
import { annotationLines, labelLines, labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText } from '../text.js'
import { endpointsOf, endpointsText } from './endpoints-text.js'

export const describeIngress: Describe<Ingress> = async (ingress, on) => {
  const { page } = on
  const { metadata, spec } = ingress
  const namespace = metadata.namespace ?? ''
  page.field('Name', metadata.name)
  labelLines(page, 'Labels', metadata.labels)
  page.field('Namespace', namespace)
  page.field('Address', addressText(ingress))
  page.field('Ingress Class', spec.ingressClassName ?? noneText)
  const fallback = spec.defaultBackend ? await backendText(spec.defaultBackend, namespace, on) : '<default>'
  page.field('Default backend', fallback)
  writeTls(page, ingress)
  await writeRules(ingress, fallback, on)
  annotationLines(page, 'Annotations', metadata.annotations)
  await eventsOf(ingress, on)
}

function addressText({ status }: Ingress): string {
  const { ingress = [] } = status.loadBalancer ?? {}
  const addresses = ingress.map(({ ip, hostname = '' }) => ip || hostname).filter((each) => each !== '')
  return [...new Set(addresses)].sort(compareText).join(',')
}

function writeTls(page: DescriptionPage, { spec }: Ingress): void {
  const { tls = [] } = spec
  if (tls.length > 0) page.line(0, 'TLS:')
  for (const { secretName, hosts = [] } of tls)
    page.line(1, `${secretName ? `${secretName} terminates` : 'SNI routes'} ${hosts.join(',')}`)
}

async function writeRules({ metadata, spec }: Ingress, fallback: string, on: DescribeContext): Promise<void> {
  const { page } = on
  const rules = (spec.rules ?? []).filter(({ http }) => http)
  page.line(0, 'Rules:')
  page.line(1, 'Host', 'Path', 'Backends')
  page.line(1, '----', '----', '--------')
  for (const { host, http } of rules) {
    page.line(1, host || '*', '')
    for (const { path = '', backend } of http!.paths)
      page.line(2, '', `${path} `, await backendText(backend, metadata.namespace ?? '', on))
  }
  if (rules.length === 0) page.line(1, '*', '*', fallback)
}

/** `web:80 (10.0.0.1:80)`: a service with its endpoints, or another resource. */
async function backendText(
  { service, resource }: IngressBackend,
  namespace: string,
  on: DescribeContext,
): Promise<string> {
  if (resource) return `APIGroup: ${resource.apiGroup ?? noneText}, Kind: ${resource.kind}, Name: ${resource.name}`
  if (!service) return ''
  const { name, port } = service
  const text = `${name}:${port?.number || port?.name || ''}`
  try {
    const slices = await endpointsOf(name, namespace, on)
    const path = resourcePath({ root: '/api/v1', plural: 'services', namespaced: true }, namespace, name)
    const { spec } = await on.rest.json<Service>({ path })
    const found = (spec.ports ?? []).find(
      (each) => each.port === port?.number || (port?.name && each.name === port.name),
    )
    return `${text} (${endpointsText(slices, found?.name ?? '')})`
  } catch (error) {
    if (error instanceof ApiError) return `${text} (<error: ${error.message}>)`
    throw error
  }
}

export const describeIngressClass: Describe<IngressClass> = async (ingressClass, on) => {
  const { page } = on
  const { metadata, spec } = ingressClass
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.field('Controller', spec.controller ?? '')
  if (spec.parameters) {
    const { apiGroup, kind, name } = spec.parameters
    page.line(0, 'Parameters:')
    if (apiGroup !== undefined) page.field('APIGroup', apiGroup, 1)
    page.field('Kind', kind, 1)
    page.field('Name', name, 1)
  }
  await eventsOf(ingressClass, on)
}

export const describeServiceCidr: Describe<ServiceCIDR> = async (range, on) => {
  const { page } = on
  const { metadata, spec, status } = range
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  page.field('CIDRs', (spec.cidrs ?? []).join(', '))
  if ((status.conditions ?? []).length > 0) page.line(0, 'Status:')
  writeTimedConditions(page, status.conditions)
  await eventsOf(range, on)
}

export const describeIpAddress: Describe<IPAddress> = async (address, on) => {
  const { page } = on
  const { metadata, spec } = address
  page.field('Name', metadata.name)
  labelsAndAnnotations(page, metadata)
  const { parentRef } = spec
  if (parentRef) {
    page.line(0, 'Parent Reference:')
    page.field('Group', parentRef.group ?? '', 1)
    page.field('Resource', parentRef.resource ?? '', 1)
    page.field('Namespace', parentRef.namespace ?? '', 1)
    page.field('Name', parentRef.name ?? '', 1)
  }
  await eventsOf(address, on)
}
