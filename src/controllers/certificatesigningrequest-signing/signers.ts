import type { ParsedCertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import { kubeletClientFault, kubeletServingFault } from '../certificates/kubelet-validation.js'

/** Why a signer does not sign a request; undefined if it does. */
type RequestValidation = (request: ParsedCertificateRequest, usages: readonly string[]) => string | undefined

/** The signers that this controller acts for. */
export type SignerName =
  | 'kubernetes.io/kube-apiserver-client'
  | 'kubernetes.io/kube-apiserver-client-kubelet'
  | 'kubernetes.io/kubelet-serving'
  | 'kubernetes.io/legacy-unknown'

export const signerValidations: Readonly<Record<SignerName, RequestValidation>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) => clientUsageFault(usages),
  'kubernetes.io/kube-apiserver-client-kubelet': kubeletClientFault,
  'kubernetes.io/kubelet-serving': kubeletServingFault,
  // From before requests named a signer. An administrator has approved it.
  'kubernetes.io/legacy-unknown': () => undefined,
}

export function isSignerName(name: string): name is SignerName {
  return Object.hasOwn(signerValidations, name)
}

const requiredUsage = 'client auth'
const optionalUsages: readonly string[] = ['digital signature', 'key encipherment']

function clientUsageFault(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => usage !== requiredUsage && !optionalUsages.includes(usage))
  if (other !== undefined) return `invalid usage for client certificate: ${other}`
  return usages.includes(requiredUsage) ? undefined : `missing required usage for client certificate: ${requiredUsage}`
}
