import { readFileSync } from 'node:fs'
import type { SigningOptions } from '../controllers/certificate-signing/controller.js'
import { type Authorities, oneForAll, type SignerName } from '../controllers/certificate-signing/signers.js'
import { type Credential, issuerOf } from '../wire/x509/issuer.js'
import { duration, optionalText } from './flag-types.js'
import { type FlagValues, UsageError } from './flags.js'

const hour = 3_600_000

function certFile(whom: string) {
  return optionalText(`The CA certificate that signs ${whom}.`, 'FILE')
}

function keyFile(whom: string) {
  return optionalText(`The private key of the CA that signs ${whom}.`, 'FILE')
}

const whom = {
  client: 'client certificates for the API server',
  kubelet: 'client certificates of kubelets',
  serving: 'serving certificates of kubelets',
  legacy: 'certificates of the signer kubernetes.io/legacy-unknown',
}

/** Upstream's names for the keys that sign certificates. */
export const signingFlags = {
  'cluster-signing-cert-file': certFile('all requested certificates'),
  'cluster-signing-key-file': keyFile('all requested certificates'),
  'cluster-signing-duration': duration('The longest lifetime of a signed certificate.', 8760 * hour),
  'cluster-signing-kube-apiserver-client-cert-file': certFile(whom.client),
  'cluster-signing-kube-apiserver-client-key-file': keyFile(whom.client),
  'cluster-signing-kubelet-client-cert-file': certFile(whom.kubelet),
  'cluster-signing-kubelet-client-key-file': keyFile(whom.kubelet),
  'cluster-signing-kubelet-serving-cert-file': certFile(whom.serving),
  'cluster-signing-kubelet-serving-key-file': keyFile(whom.serving),
  'cluster-signing-legacy-unknown-cert-file': certFile(whom.legacy),
  'cluster-signing-legacy-unknown-key-file': keyFile(whom.legacy),
}

export type SigningFlags = FlagValues<typeof signingFlags>

/** What the flags of each signer begin with. */
const signers = {
  'cluster-signing-kube-apiserver-client': 'kubernetes.io/kube-apiserver-client',
  'cluster-signing-kubelet-client': 'kubernetes.io/kube-apiserver-client-kubelet',
  'cluster-signing-kubelet-serving': 'kubernetes.io/kubelet-serving',
  'cluster-signing-legacy-unknown': 'kubernetes.io/legacy-unknown',
} as const satisfies Readonly<Record<string, SignerName>>

/** Undefined where nobody signs. `own` is the cluster's own authority, which signs where no flag names another. */
export function signingOptions(
  flags: SigningFlags,
  own?: () => Credential | undefined,
): { readonly signing?: SigningOptions } {
  const general = pairOf(flags, 'cluster-signing')
  const special = Object.entries(signers).flatMap(([prefix, signer]) => {
    const pair = pairOf(flags, prefix as keyof typeof signers)
    return pair ? [[signer, pair] as const] : []
  })
  if (general && special.length > 0)
    throw new UsageError(
      '--cluster-signing-cert-file cannot be used with the files of single signers; name one for all, or one for each',
    )
  const authorities: Authorities | undefined =
    special.length > 0 ? Object.fromEntries(special) : general ? oneForAll(general) : own?.() && oneForAll(own)
  return authorities ? { signing: { authorities, duration: flags['cluster-signing-duration'] } } : {}
}

/** Reads the files each time it is asked, so that new ones count at once. That they can be used is checked beforehand. */
function pairOf(flags: SigningFlags, prefix: keyof typeof signers | 'cluster-signing'): (() => Credential) | undefined {
  const cert = flags[`${prefix}-cert-file`]
  const key = flags[`${prefix}-key-file`]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new UsageError(`--${prefix}-cert-file and --${prefix}-key-file must be given together`)
  const read = () => ({ cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') })
  check(read(), cert, key)
  return read
}

function check(pair: Credential, cert: string, key: string): void {
  try {
    issuerOf(pair)
  } catch {
    // What the parser says is left out: nobody knows what it quotes.
    throw new Error(
      `${key} is not the key of the certificate in ${cert}; name two files in PEM form that belong together`,
    )
  }
}
