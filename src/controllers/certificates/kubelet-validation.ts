import type { ParsedCertificateRequest } from '../../api/certificates/v1/certificate-request.js'

const nodeGroup = 'system:nodes'
const nodePrefix = 'system:node:'

/** Only RSA keys encipher keys; requests for other keys may leave this usage out. */
const optionalUsage = 'key encipherment'
const clientUsages = ['client auth', 'digital signature', optionalUsage]
const servingUsages = ['digital signature', optionalUsage, 'server auth']

/** Why this is not a request for the client certificate of a node; undefined if it is. */
export function kubeletClientFault(request: ParsedCertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.alternativeNames
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed'
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed'
  if (uris.length > 0) return 'URI subjectAltNames are not allowed'
  return nameFault(request) ?? usageFault(usages, clientUsages)
}

/** Why this is not a request for the serving certificate of a node; undefined if it is. */
export function kubeletServingFault(request: ParsedCertificateRequest, usages: readonly string[]): string | undefined {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.alternativeNames
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required'
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usageFault(usages, servingUsages) ?? nameFault(request)
}

function isOfNodes({ organizations }: ParsedCertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === nodeGroup
}

function nameFault({ commonName }: ParsedCertificateRequest): string | undefined {
  return commonName.startsWith(nodePrefix) ? undefined : 'subject common name does not begin with system:node:'
}

function usageFault(usages: readonly string[], required: readonly string[]): string | undefined {
  const given = new Set([...usages, optionalUsage])
  const isRight = given.size === required.length && required.every((usage) => given.has(usage))
  return isRight ? undefined : `usages did not match [${required.join(' ')}]`
}
