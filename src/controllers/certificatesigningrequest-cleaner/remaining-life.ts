import { X509Certificate } from 'node:crypto'
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../api/certificates/v1/certificate-signing-request.js'
import { parseTime } from '../../schema/values/time.js'
import { conditionOf, isIssued } from '../certificates/requests.js'

const hour = 60 * 60_000
const afterAnswer = hour
const withoutAnswer = 24 * hour

/** Milliseconds until the request is to be removed. */
export function remainingLife(request: CertificateSigningRequest, now: number): number | undefined {
  const ends = [...endsOf(request)]
  return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends) - now)
}

/** When it would be time to go, for each reason that there is. */
function* endsOf(request: CertificateSigningRequest): Iterable<number> {
  const approved = conditionOf(request, 'Approved')
  if ((request.status.conditions ?? []).length === 0)
    yield parseTime(request.metadata.creationTimestamp!) + withoutAnswer
  for (const refused of [conditionOf(request, 'Denied'), conditionOf(request, 'Failed')])
    yield* after(refused, afterAnswer)
  if (!approved) return
  if (!isIssued(request)) yield* after(approved, withoutAnswer)
  else {
    yield* after(approved, afterAnswer)
    yield Date.parse(certificateOf(request).validTo)
  }
}

function* after(condition: CertificateSigningRequestCondition | undefined, time: number): Iterable<number> {
  if (condition?.lastUpdateTime) yield parseTime(condition.lastUpdateTime) + time
}

/** The server has checked that it is one. */
function certificateOf({ status }: CertificateSigningRequest): X509Certificate {
  return new X509Certificate(Buffer.from(status.certificate!, 'base64'))
}
