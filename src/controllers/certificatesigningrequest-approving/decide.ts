import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../api/certificates/v1/certificate-signing-request.js'
import { parseTime } from '../../schema/values/time.js'
import { kubeletClientFault } from '../certificates/kubelet-validation.js'
import { certificateRequestOf, isIssued, requestCondition } from '../certificates/requests.js'

/** A right by which a request is approved. */
export interface ApprovalPermission {
  /** The requester must be allowed to create this subresource of `certificatesigningrequests`. */
  readonly subresource: string
  /** The message of the `Approved` condition. */
  readonly message: string
}

const selfNode: ApprovalPermission = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
}
const node: ApprovalPermission = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
}

/** Any of these is enough. None: the request was decided already, or only people decide about it. */
export function permissionsFor(request: CertificateSigningRequest): readonly ApprovalPermission[] {
  const { signerName, usages = [], username } = request.spec
  if (signerName !== 'kubernetes.io/kube-apiserver-client-kubelet' || isDecided(request)) return []
  const certificateRequest = certificateRequestOf(request)
  if (kubeletClientFault(certificateRequest, usages) !== undefined) return []
  return username === certificateRequest.commonName ? [selfNode, node] : [node]
}

function isDecided(request: CertificateSigningRequest): boolean {
  const hasCondition = (type: 'Approved' | 'Denied') => requestCondition(request, type) !== undefined
  return isIssued(request) || hasCondition('Approved') || hasCondition('Denied')
}

export interface ApprovalObservation {
  readonly request: CertificateSigningRequest
  /** The first permission that the requester has. */
  readonly granted: ApprovalPermission | undefined
  readonly now: number
}

export type ApprovalDecision =
  | { readonly do: 'approve'; readonly condition: CertificateSigningRequestCondition }
  /** Rights come and go: ask again after so many milliseconds. */
  | { readonly do: 'wait'; readonly requeueAfter: number }

export function decide({ request, granted, now }: ApprovalObservation): ApprovalDecision {
  if (!granted) return { do: 'wait', requeueAfter: retryDelay(parseTime(request.metadata.creationTimestamp!), now) }
  const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message: granted.message } as const
  return { do: 'approve', condition }
}

const minDelay = 1_000
const maxDelay = 1_000_000

/** As long as the request has waited so far, within limits. */
function retryDelay(createdAt: number, now: number): number {
  return Math.min(Math.max(now - createdAt, minDelay), maxDelay)
}
