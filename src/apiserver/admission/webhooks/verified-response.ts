import type { Status } from '../../../api/meta/v1/status.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionReviewVersion } from './review.js'
import type { AdmissionResponse, AdmissionReview } from './review-kinds.js'

/** What a webhook answered, once it is known to be an answer to what it was asked. */
export interface VerifiedAnswer {
  readonly allowed: boolean
  /** A JSON Patch as it came; empty if nothing is to change. */
  readonly patch: Buffer
  readonly patchType: string
  readonly result: Partial<Status> | undefined
  readonly annotations: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** An answer of the right form that is none to the question. */
export class InvalidAnswer extends Error {
  override readonly name = 'InvalidAnswer'
}

export interface Asked {
  readonly version: AdmissionReviewVersion
  readonly uid: string
  readonly isMutating: boolean
}

/** Throws an `InvalidAnswer`. Who speaks the old version was never asked for more than a response. */
export function verified(review: AdmissionReview, { version, uid, isMutating }: Asked): VerifiedAnswer {
  const { response } = review
  if (!response) throw new InvalidAnswer('webhook response was absent')
  if (version === 'v1') checkStrictly(review, response, { uid, isMutating })
  const patch = isMutating ? Buffer.from(response.patch ?? '', 'base64') : Buffer.alloc(0)
  return {
    allowed: response.allowed ?? false,
    patch,
    patchType: version === 'v1' ? (response.patchType ?? '') : 'JSONPatch',
    result: response.status,
    annotations: response.auditAnnotations ?? {},
    warnings: response.warnings ?? [],
  }
}

function checkStrictly(
  review: AdmissionReview,
  response: AdmissionResponse,
  { uid, isMutating }: Pick<Asked, 'uid' | 'isMutating'>,
): void {
  if ((response.uid ?? '') !== uid)
    throw new InvalidAnswer(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`)
  const given = kindText(review)
  if (given !== expected) throw new InvalidAnswer(`expected webhook response of ${expected}, got ${given}`)
  const { patch = '', patchType } = response
  if (isMutating) checkPatch(patch, patchType)
  else if (patch !== '') throw new InvalidAnswer('validating webhook may not return response.patch')
  else if (patchType !== undefined) throw new InvalidAnswer('validating webhook may not return response.patchType')
}

const expected = 'admission.k8s.io/v1, Kind=AdmissionReview'

function kindText({ apiVersion = '', kind = '' }: AdmissionReview): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}

function checkPatch(patch: string, patchType: string | undefined): void {
  if (patch !== '' && patchType === undefined)
    throw new InvalidAnswer('webhook returned response.patch but not response.patchType')
  if (patch === '' && patchType !== undefined)
    throw new InvalidAnswer('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw new InvalidAnswer('webhook returned invalid response.patchType of ""')
}
