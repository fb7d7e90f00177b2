import {
  CertificateSigningRequest,
  type CertificateSigningRequestStatus,
} from '../../api/certificates/v1/certificate-signing-request.js'
import type { Environment } from '../../base/environment.js'
import { formatTime } from '../../schema/values/time.js'
import { issuerOf } from '../../wire/x509/issuer.js'
import { signedCertificate } from '../../wire/x509/signed-certificate.js'
import { askedFor, conditionOf, isApproved, isIssued } from '../certificates/requests.js'
import { controller } from '../runtime/builder.js'
import type { Controller } from '../runtime/controller.js'
import type { ReconcileContext } from '../runtime/reconcile.js'
import { contentsOf } from './contents.js'
import { type Authorities, isSignerName, signerRules } from './signers.js'
import { validityOf } from './validity.js'

export interface SigningOptions {
  /** By whose key each signer signs, asked anew each time. For those that are left out, nothing is signed. */
  readonly authorities: Authorities
  /** How long certificates live at most, in milliseconds: `--cluster-signing-duration`. */
  readonly duration?: number | undefined
}

const year = 365 * 24 * 60 * 60_000

/** Signs what was approved. */
export function certificateSigning({ authorities, duration = year }: SigningOptions): Controller {
  return controller('certificatesigningrequest-signing')
    .for(CertificateSigningRequest)
    .workers(5)
    .reconcile((name, context) => sign(name, { authorities, duration }, context))
}

async function sign(name: string, options: Required<SigningOptions>, context: ReconcileContext): Promise<void> {
  const request = context.informers.of(CertificateSigningRequest).get(name)
  if (!request || isIssued(request) || !isApproved(request) || conditionOf(request, 'Failed')) return
  const status = answerTo(request, options, context.environment)
  if (!status) return
  await context.client
    .resource(CertificateSigningRequest)
    .subresource('status')
    .update({ ...request, status })
}

/** What becomes of an approved request; undefined where it is for somebody else to sign. */
function answerTo(
  request: CertificateSigningRequest,
  { authorities, duration }: Required<SigningOptions>,
  { clock, random }: Environment,
): CertificateSigningRequestStatus | undefined {
  const { signerName, usages = [], expirationSeconds: seconds } = request.spec
  const authority = isSignerName(signerName) ? authorities[signerName] : undefined
  if (!isSignerName(signerName) || !authority) return undefined
  const { status } = request
  const asked = askedFor(request)
  const fault = signerRules[signerName](asked, usages)
  const now = clock.now()
  if (fault !== undefined) return failed(status, fault, now)
  const issuer = issuerOf(authority())
  const validity = validityOf({ now, most: duration, seconds, signerEnds: issuer.notAfter })
  const certificate = signedCertificate(contentsOf(asked, { usages, issuer, ...validity }), issuer, random)
  return { ...status, certificate: Buffer.from(certificate).toString('base64') }
}

function failed(
  status: CertificateSigningRequestStatus,
  message: string,
  now: number,
): CertificateSigningRequestStatus {
  const verdict = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message } as const
  return { ...status, conditions: [...(status.conditions ?? []), { ...verdict, lastUpdateTime: formatTime(now) }] }
}
