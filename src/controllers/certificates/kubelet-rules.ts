import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'

type Fault = string | undefined

const nodeGroup = 'system:nodes'
const nodePrefix = 'system:node:'

/** Keys of other kinds than RSA encipher no keys, and may leave that out. */
const optionalUsage = 'key encipherment'
const clientUsages = ['client auth', 'digital signature', optionalUsage]
const servingUsages = ['digital signature', optionalUsage, 'server auth']

/** Why this is no request for what a node shows to the API server. */
export function kubeletClientFault(request: CertificateRequest, usages: readonly string[]): Fault {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.alternativeNames
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (dnsNames.length > 0) return 'DNS subjectAltNames are not allowed'
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (ipAddresses.length > 0) return 'IP subjectAltNames are not allowed'
  if (uris.length > 0) return 'URI subjectAltNames are not allowed'
  return nameFault(request) ?? usageFault(usages, clientUsages)
}

/** Why this is no request for what a node shows to those who come to it. */
export function kubeletServingFault(request: CertificateRequest, usages: readonly string[]): Fault {
  const { dnsNames, emailAddresses, ipAddresses, uris } = request.alternativeNames
  if (!isOfNodes(request)) return 'subject organization is not system:nodes'
  if (dnsNames.length === 0 && ipAddresses.length === 0) return 'DNS or IP subjectAltName is required'
  if (emailAddresses.length > 0) return 'Email subjectAltNames are not allowed'
  if (uris.length > 0) return 'URI subjectAltNames are not allowed'
  return usageFault(usages, servingUsages) ?? nameFault(request)
}

function isOfNodes({ organizations }: CertificateRequest): boolean {
  return organizations.length === 1 && organizations[0] === nodeGroup
}

function nameFault({ commonName }: CertificateRequest): Fault {
  return commonName.startsWith(nodePrefix) ? undefined : 'subject common name does not begin with system:node:'
}

function usageFault(usages: readonly string[], required: readonly string[]): Fault {
  const given = new Set([...usages, optionalUsage])
  const isRight = given.size === required.length && required.every((usage) => given.has(usage))
  return isRight ? undefined : `usages did not match [${required.join(' ')}]`
}
