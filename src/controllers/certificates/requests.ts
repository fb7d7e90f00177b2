import { type CertificateRequest, parseCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../api/certificates/v1/certificate-signing-request.js'

export function conditionOf(
  { status }: CertificateSigningRequest,
  type: 'Approved' | 'Denied' | 'Failed',
): CertificateSigningRequestCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type)
}

/** Somebody has approved it, and nobody has refused. */
export function isApproved(request: CertificateSigningRequest): boolean {
  return conditionOf(request, 'Approved') !== undefined && conditionOf(request, 'Denied') === undefined
}

export function isIssued({ status }: CertificateSigningRequest): boolean {
  return (status.certificate ?? '') !== ''
}

/** The request inside the request. The server has checked that there is one. */
export function askedFor({ spec }: CertificateSigningRequest): CertificateRequest {
  return parseCertificateRequest(Buffer.from(spec.request, 'base64').toString('latin1'))
}
