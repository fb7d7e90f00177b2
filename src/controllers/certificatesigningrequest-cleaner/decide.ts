import { X509Certificate } from 'node:crypto'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../api/certificates/v1/certificate-signing-request.js'
import { parseTime } from '../../schema/values/time.js'
import { isIssued, requestCondition } from '../certificates/requests.js'

const hour = 60 * 60_000
/** How long a request stays after it was decided, and how long one that waits for a decision. */
const decidedTtl = hour
const pendingTtl = 24 * hour

export interface RequestCleanerObservation {
  readonly request: CertificateSigningRequest
  readonly now: number
}

export interface CleanerDecision {
  /** Milliseconds until the request is to be deleted; 0: now. */
  readonly deleteAfter: number
}

/** Undefined if the request stays, or is already being deleted. */
export function decide({ request, now }: RequestCleanerObservation): CleanerDecision | undefined {
  if (request.metadata.deletionTimestamp !== undefined) return undefined
  const ends = [...endsOf(request)]
  return ends.length === 0 ? undefined : { deleteAfter: Math.max(0, Math.min(...ends) - now) }
}

/** When each TTL ends that applies to the request. */
function* endsOf(request: CertificateSigningRequest): Iterable<number> {
  const approved = requestCondition(request, 'Approved')
  if ((request.status.conditions ?? []).length === 0) yield parseTime(request.metadata.creationTimestamp!) + pendingTtl
  for (const rejected of [requestCondition(request, 'Denied'), requestCondition(request, 'Failed')])
    yield* after(rejected, decidedTtl)
  if (!approved) return
  if (!isIssued(request)) yield* after(approved, pendingTtl)
  else {
    yield* after(approved, decidedTtl)
    yield Date.parse(certificateOf(request).validTo)
  }
}

function* after(condition: CertificateSigningRequestCondition | undefined, time: number): Iterable<number> {
  if (condition?.lastUpdateTime) yield parseTime(condition.lastUpdateTime) + time
}

/** The API server has checked that it is a certificate. */
function certificateOf({ status }: CertificateSigningRequest): X509Certificate {
  return new X509Certificate(Buffer.from(status.certificate!, 'base64'))
}
