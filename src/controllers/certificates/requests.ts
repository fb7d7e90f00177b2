import {
  type ParsedCertificateRequest,
  parseCertificateRequest,
} from '../../api/certificates/v1/certificate-request.js'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../api/certificates/v1/certificate-signing-request.js'

export function requestCondition(
  { status }: CertificateSigningRequest,
  type: 'Approved' | 'Denied' | 'Failed',
): CertificateSigningRequestCondition | undefined {
  return status.conditions?.find((condition) => condition.type === type)
}

/** Approved, and not denied as well. */
export function isApproved(request: CertificateSigningRequest): boolean {
  return requestCondition(request, 'Approved') !== undefined && requestCondition(request, 'Denied') === undefined
}

export function isIssued({ status }: CertificateSigningRequest): boolean {
  return (status.certificate ?? '') !== ''
}

/** The PKCS #10 request inside the object. The API server has checked that there is one. */
export function certificateRequestOf({ spec }: CertificateSigningRequest): ParsedCertificateRequest {
  return parseCertificateRequest(Buffer.from(spec.request, 'base64').toString('latin1'))
}
