import type {
  CertificateSigningRequest,
  CertificateSigningRequestStatus,
} from '../../api/certificates/v1/certificate-signing-request.js'
import { formatTime } from '../../schema/values/time.js'
import type { Issuer } from '../../wire/x509/issuer.js'
import type { CertificateContent } from '../../wire/x509/signed-certificate.js'
import { certificateRequestOf, isApproved, isIssued, requestCondition } from '../certificates/requests.js'
import { certificateContents } from './certificate-contents.js'
import { isSignerName, type SignerName, signerValidations } from './signers.js'
import { validityOf } from './validity.js'

/** The signer of a request that waits for its certificate; undefined if nothing is to be signed here. */
export function pendingSigner(request: CertificateSigningRequest): SignerName | undefined {
  const isPending = isApproved(request) && !isIssued(request) && !requestCondition(request, 'Failed')
  return isPending && isSignerName(request.spec.signerName) ? request.spec.signerName : undefined
}

/** Why the signer does not sign the request; undefined if it does. */
export function signerFault(request: CertificateSigningRequest, signer: SignerName): string | undefined {
  return signerValidations[signer](certificateRequestOf(request), request.spec.usages ?? [])
}

export interface SigningObservation {
  readonly request: CertificateSigningRequest
  readonly signer: SignerName
  /** Undefined if the signer does not sign the request. */
  readonly issuer: Issuer | undefined
  /** `--cluster-signing-duration`, in milliseconds. */
  readonly maxDuration: number
  readonly now: number
}

export type SigningDecision =
  | { readonly do: 'sign'; readonly content: CertificateContent; readonly issuer: Issuer }
  | { readonly do: 'fail'; readonly status: CertificateSigningRequestStatus }

/** Throws if the certificate of the issuer has expired. */
export function decide({ request, signer, issuer, maxDuration, now }: SigningObservation): SigningDecision {
  const { usages = [], expirationSeconds: seconds } = request.spec
  if (!issuer) return { do: 'fail', status: failedStatus(request.status, signerFault(request, signer) ?? '', now) }
  const validity = validityOf({ now, maxDuration, seconds, signerEnds: issuer.notAfter })
  const content = certificateContents(certificateRequestOf(request), { usages, issuer, ...validity })
  return { do: 'sign', content, issuer }
}

function failedStatus(
  status: CertificateSigningRequestStatus,
  message: string,
  now: number,
): CertificateSigningRequestStatus {
  const failed = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message } as const
  return { ...status, conditions: [...(status.conditions ?? []), { ...failed, lastUpdateTime: formatTime(now) }] }
}
