import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type { CertificateSigningRequestSpec } from '../../api/certificates/v1/certificate-signing-request.js'
import { kubeletClientFault } from '../certificates/kubelet-rules.js'

/** What a request may be granted for. */
export interface Permission {
  /** Whoever may create this of `certificatesigningrequests` gets the certificate. */
  readonly subresource: string
  /** What the approval says. */
  readonly message: string
}

const selfNode: Permission = {
  subresource: 'selfnodeclient',
  message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
}
const node: Permission = {
  subresource: 'nodeclient',
  message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
}

/** Any of these is enough; there are none for what only people decide about. */
export function permissionsFor(
  { signerName, usages = [], username }: CertificateSigningRequestSpec,
  request: CertificateRequest,
): readonly Permission[] {
  if (signerName !== 'kubernetes.io/kube-apiserver-client-kubelet') return []
  if (kubeletClientFault(request, usages) !== undefined) return []
  return username === request.commonName ? [selfNode, node] : [node]
}

const soonest = 1_000
const latest = 1_000_000

/** How long to wait before asking again: as long as the request has waited so far, and never for ever. */
export function patience(createdAt: number, now: number): number {
  return Math.min(Math.max(now - createdAt, soonest), latest)
}
