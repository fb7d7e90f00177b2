import { X509Certificate } from 'node:crypto'
import {
  CertificateSigningRequest,
  type CertificateSigningRequestSpec,
} from '../../api/certificates/v1/certificate-signing-request.js'
import type { Client } from '../../client/client.js'
import type { TestCluster } from '../../testing/cluster.js'
import { inProcessClient } from '../../testing/servers/clients.js'
import { newKey } from '../../wire/x509/certificate.js'
import { type CertificateRequestOptions, certificateRequest } from '../../wire/x509/request.js'

/** Making keys is slow, and nobody compares them. */
const key = newKey()

/** Somebody asks for a certificate, in the name of `user`, or as an administrator. */
export async function askFor(
  cluster: TestCluster,
  name: string,
  wanted: CertificateRequestOptions,
  { user, groups, ...spec }: Partial<CertificateSigningRequestSpec> & { readonly user?: string },
): Promise<void> {
  const who = user === undefined ? {} : { user: { name: user, uid: '', groups: groups ?? [], extra: {} } }
  const request = Buffer.from(certificateRequest(key, wanted)).toString('base64')
  await inProcessClient(cluster, who)
    .resource(CertificateSigningRequest)
    .create({ metadata: { name }, spec: { request, ...spec } as CertificateSigningRequestSpec })
}

/** As `kubectl certificate approve` does it. */
export async function decide(client: Client, name: string, type: 'Approved' | 'Denied'): Promise<void> {
  const requests = client.resource(CertificateSigningRequest)
  const request = await requests.get(name)
  const decision = { type, status: 'True', reason: 'KubectlDecision', message: 'by hand' } as const
  const conditions = [...(request.status.conditions ?? []), decision]
  await requests.subresource('approval').update({ ...request, status: { ...request.status, conditions } })
}

/** Each request, what was decided and what was issued. */
export async function viewOfRequests({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(CertificateSigningRequest).list()
  return items.flatMap(({ metadata, spec, status }) => [
    `Request ${metadata.name} of ${spec.username} to ${spec.signerName.replace('kubernetes.io/', '')}`,
    ...(status.conditions ?? []).map(
      ({ type, reason, message, lastUpdateTime }) =>
        `  ${type} at ${lastUpdateTime?.slice(11, 19)}, ${reason}: ${message}`,
    ),
    ...(status.certificate ? [`  ${certificateLine(status.certificate)}`] : []),
  ])
}

function certificateLine(certificate: string): string {
  const { subject, validFrom, validTo, keyUsage } = new X509Certificate(Buffer.from(certificate, 'base64'))
  const time = (text: string) => new Date(text).toISOString().slice(0, 19).replace('T', ' ')
  const name = subject.replaceAll('\n', ' ')
  return `certificate of ${name}, ${time(validFrom)} to ${time(validTo)}, for ${(keyUsage ?? []).join(' ')}`
}
