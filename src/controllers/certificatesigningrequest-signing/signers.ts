import type { CertificateRequest } from '../../api/certificates/v1/certificate-request.js'
import type { Credential } from '../../wire/x509/issuer.js'
import { kubeletClientFault, kubeletServingFault } from '../certificates/kubelet-rules.js'

/** Why a signer does not sign a request; undefined if it does. */
type SignerRule = (request: CertificateRequest, usages: readonly string[]) => string | undefined

/** Whom this loop can sign for. */
export type SignerName =
  | 'kubernetes.io/kube-apiserver-client'
  | 'kubernetes.io/kube-apiserver-client-kubelet'
  | 'kubernetes.io/kubelet-serving'
  | 'kubernetes.io/legacy-unknown'

export const signerRules: Readonly<Record<SignerName, SignerRule>> = {
  'kubernetes.io/kube-apiserver-client': (_, usages) => clientUsageFault(usages),
  'kubernetes.io/kube-apiserver-client-kubelet': kubeletClientFault,
  'kubernetes.io/kubelet-serving': kubeletServingFault,
  // There was a time when nobody said what a certificate is for. Who asks for one like that has been approved by somebody.
  'kubernetes.io/legacy-unknown': () => undefined,
}

export type Authorities = Readonly<Partial<Record<SignerName, () => Credential>>>

/** The same authority for every signer. It may turn up later, or come and go: nothing is signed without it. */
export function oneForAll(authority: () => Credential | undefined): Authorities {
  const present = () => {
    const credential = authority()
    if (!credential) throw new Error('the key of the authority that signs certificates is not here')
    return credential
  }
  return Object.fromEntries(Object.keys(signerRules).map((name) => [name, present]))
}

export function isSignerName(name: string): name is SignerName {
  return Object.hasOwn(signerRules, name)
}

const purpose = 'client auth'
const optional: readonly string[] = ['digital signature', 'key encipherment']

function clientUsageFault(usages: readonly string[]): string | undefined {
  const foreign = usages.find((usage) => usage !== purpose && !optional.includes(usage))
  if (foreign !== undefined) return `invalid usage for client certificate: ${foreign}`
  return usages.includes(purpose) ? undefined : `missing required usage for client certificate: ${purpose}`
}
