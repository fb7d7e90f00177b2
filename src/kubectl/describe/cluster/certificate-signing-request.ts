import {
  type ParsedCertificateRequest,
  parseCertificateRequest,
} from '../../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequest } from '../../../api/certificates/v1/certificate-signing-request.js'
import { ipText } from '../../../schema/values/ip-address.js'
import { errorMessage } from '../../command-errors.js'
import { ageText } from '../../printers/age.js'
import type { Describe } from '../context.js'
import { eventsOf } from '../events.js'
import type { DescriptionPage } from '../page.js'
import { pairsText } from '../text.js'
import { longTime } from '../times.js'

export const describeCertificateSigningRequest: Describe<CertificateSigningRequest> = async (request, on) => {
  const { page } = on
  const { metadata, spec } = request
  const wanted = parsed(spec.request)
  page.field('Name', metadata.name)
  page.field('Labels', pairsText(metadata.labels))
  page.field('Annotations', pairsText(metadata.annotations))
  page.field('CreationTimestamp', longTime(metadata.creationTimestamp))
  page.field('Requesting User', spec.username ?? '')
  if (spec.signerName) page.field('Signer', spec.signerName)
  const { expirationSeconds: seconds } = spec
  if (seconds !== undefined) page.field('Requested Duration', ageText(seconds * 1000))
  page.field('Status', stateOf(request))
  writeSubject(page, wanted)
  writeNames(page, wanted)
  await eventsOf(request, on)
}

function parsed(request: string): ParsedCertificateRequest {
  try {
    return parseCertificateRequest(Buffer.from(request, 'base64').toString())
  } catch (error) {
    throw new Error(`Error parsing CSR: ${errorMessage(error)}`, { cause: error })
  }
}

function stateOf({ status }: CertificateSigningRequest): string {
  const has = (type: string) => (status.conditions ?? []).some((condition) => condition.type === type)
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending'
  return `${decision}${has('Failed') ? ',Failed' : ''}${status.certificate ? ',Issued' : ''}`
}

const subjectParts = {
  Organization: '2.5.4.10',
  'Organizational Unit': '2.5.4.11',
  Country: '2.5.4.6',
  Locality: '2.5.4.7',
  Province: '2.5.4.8',
  StreetAddress: '2.5.4.9',
  PostalCode: '2.5.4.17',
} as const
const serialNumber = '2.5.4.5'

function writeSubject(page: DescriptionPage, { commonName, subject }: ParsedCertificateRequest): void {
  const valuesOf = (type: string) => subject.filter((part) => part.type === type).map(({ value }) => value)
  page.line(0, 'Subject:')
  page.line(0, '', 'Common Name:', commonName)
  page.line(0, '', 'Serial Number:', valuesOf(serialNumber).at(-1) ?? '')
  for (const [label, type] of Object.entries(subjectParts)) writeList(page, label, valuesOf(type))
}

function writeNames(page: DescriptionPage, { alternativeNames }: ParsedCertificateRequest): void {
  const { dnsNames, emailAddresses, uris, ipAddresses } = alternativeNames
  if (dnsNames.length + emailAddresses.length + uris.length + ipAddresses.length === 0) return
  page.line(0, 'Subject Alternative Names:')
  writeList(page, 'DNS Names', dnsNames)
  writeList(page, 'Email Addresses', emailAddresses)
  writeList(page, 'URIs', uris)
  writeList(page, 'IP Addresses', ipAddresses.map(addressText))
}

function addressText(bytes: Buffer): string {
  return ipText({ bytes: [...bytes], mapped: false, leadingZeros: false })
}

function writeList(page: DescriptionPage, label: string, values: readonly string[]): void {
  const [first, ...others] = values
  if (first === undefined) return
  page.line(0, '', `${label}:`, first)
  for (const value of others) page.line(0, '', '', value)
}
