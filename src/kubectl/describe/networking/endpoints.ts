import type { EndpointAddress, Endpoints } from '../../../api/core/v1/endpoints.js'
import type { EndpointSlice } from '../../../api/discovery/v1/endpoint-slice.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import { labelsAndAnnotations } from '../metadata.js'
import type { DescriptionPage } from '../page.js'
import { noneText, unsetText } from '../text.js'

export const describeEndpoints: Describe<Endpoints> = async (endpoints, on) => {
  const { page } = on
  const { metadata, subsets = [] } = endpoints
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.line(0, 'Subsets:')
  for (const { addresses, notReadyAddresses, ports = [] } of subsets) {
    page.field('Addresses', addressesText(addresses), 1)
    page.field('NotReadyAddresses', addressesText(notReadyAddresses), 1)
    if (ports.length > 0) {
      page.line(1, 'Ports:')
      page.line(2, 'Name', 'Port', 'Protocol')
      page.line(2, '----', '----', '--------')
    }
    for (const { name, port, protocol = '' } of ports) page.line(2, name || unsetText, String(port), protocol)
    page.line(0, '')
  }
  await eventsOf(endpoints, on)
}

function addressesText(addresses: readonly EndpointAddress[] = []): string {
  return addresses.map(({ ip }) => ip).join(',') || noneText
}

export const describeEndpointSlice: Describe<EndpointSlice> = async (slice, on) => {
  const { page } = on
  const { metadata, addressType } = slice
  page.field('Name', metadata.name)
  page.field('Namespace', metadata.namespace)
  labelsAndAnnotations(page, metadata)
  page.field('AddressType', addressType)
  writePorts(page, slice)
  writeEndpoints(page, slice)
  await eventsOf(slice, on)
}

function writePorts(page: DescriptionPage, { ports }: EndpointSlice): void {
  if (!ports || ports.length === 0) {
    page.line(0, 'Ports: <unset>')
    return
  }
  page.line(0, 'Ports:')
  page.line(1, 'Name', 'Port', 'Protocol')
  page.line(1, '----', '----', '--------')
  for (const { name, port, protocol = '' } of ports)
    page.line(1, name || unsetText, String(port ?? unsetText), protocol)
}

function writeEndpoints(page: DescriptionPage, { endpoints }: EndpointSlice): void {
  if (!endpoints || endpoints.length === 0) {
    page.line(0, 'Endpoints: <none>')
    return
  }
  page.line(0, 'Endpoints:')
  for (const { addresses, conditions, hostname, targetRef, nodeName, zone } of endpoints) {
    page.field('- Addresses', addresses.join(', ') || noneText, 1)
    page.line(2, 'Conditions:')
    page.field('Ready', conditions?.ready ?? unsetText, 3)
    page.field('Hostname', hostname ?? unsetText, 2)
    if (targetRef) page.field('TargetRef', `${targetRef.kind ?? ''}/${targetRef.name ?? ''}`, 2)
    page.field('NodeName', nodeName ?? unsetText, 2)
    page.field('Zone', zone ?? unsetText, 2)
  }
}
