import type { Status } from '../../../api/meta/v1/status.js'
import { quote } from '../../../schema/quote.js'
import type { AdmissionReviewVersion } from './review.js'
import type { AdmissionResponse, AdmissionReview } from './review-kinds.js'

/** A response that matches its request. */
export interface VerifiedResponse {
  readonly allowed: boolean
  /** An undecoded JSON Patch; empty if the webhook changes nothing. */
  readonly patch: Buffer
  readonly patchType: string
  readonly result: Partial<Status> | undefined
  readonly annotations: Readonly<Record<string, string>>
  readonly warnings: readonly string[]
}

/** A readable response that does not match its request. */
export class InvalidResponseError extends Error {
  override readonly name = 'InvalidResponseError'
}

export interface ExpectedResponse {
  readonly version: AdmissionReviewVersion
  readonly uid: string
  readonly isMutating: boolean
}

/** Throws an `InvalidResponseError`. The old version of reviews has fewer requirements. */
export function verified(review: AdmissionReview, { version, uid, isMutating }: ExpectedResponse): VerifiedResponse {
  const { response } = review
  if (!response) throw new InvalidResponseError('webhook response was absent')
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
  { uid, isMutating }: Pick<ExpectedResponse, 'uid' | 'isMutating'>,
): void {
  if ((response.uid ?? '') !== uid)
    throw new InvalidResponseError(`expected response.uid=${quote(uid)}, got ${quote(response.uid ?? '')}`)
  const given = kindText(review)
  if (given !== expected) throw new InvalidResponseError(`expected webhook response of ${expected}, got ${given}`)
  const { patch = '', patchType } = response
  if (isMutating) checkPatch(patch, patchType)
  else if (patch !== '') throw new InvalidResponseError('validating webhook may not return response.patch')
  else if (patchType !== undefined)
    throw new InvalidResponseError('validating webhook may not return response.patchType')
}

const expected = 'admission.k8s.io/v1, Kind=AdmissionReview'

function kindText({ apiVersion = '', kind = '' }: AdmissionReview): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}

function checkPatch(patch: string, patchType: string | undefined): void {
  if (patch !== '' && patchType === undefined)
    throw new InvalidResponseError('webhook returned response.patch but not response.patchType')
  if (patch === '' && patchType !== undefined)
    throw new InvalidResponseError('webhook returned response.patchType but not response.patch')
  if (patchType === '') throw new InvalidResponseError('webhook returned invalid response.patchType of ""')
}
