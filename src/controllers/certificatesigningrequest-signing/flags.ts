import { duration, optionalText } from '../../base/flags/flag-types.js'
import { UsageError } from '../../base/flags/flags.js'
import { issuerOf, type X509KeyPair } from '../../wire/x509/issuer.js'
import type { ControllerSetup } from '../definition.js'
import { type SignerName, signerValidations } from './signers.js'

const hour = 3_600_000

function certFile(what: string) {
  return optionalText(`The certificate of the authority that signs ${what}.`, { placeholder: 'FILE' })
}

function keyFile(what: string) {
  return optionalText(`The key of the authority that signs ${what}.`, { placeholder: 'FILE' })
}

const what = {
  all: 'all requested certificates',
  client: 'certificates of API clients',
  kubelet: 'client certificates of nodes',
  serving: 'serving certificates of nodes',
  legacy: 'certificates for the legacy-unknown signer',
}

export const signingFlags = {
  'cluster-signing-cert-file': certFile(what.all),
  'cluster-signing-key-file': keyFile(what.all),
  'cluster-signing-duration': duration('The longest lifetime of a signed certificate.', { initial: 8760 * hour }),
  'cluster-signing-kube-apiserver-client-cert-file': certFile(what.client),
  'cluster-signing-kube-apiserver-client-key-file': keyFile(what.client),
  'cluster-signing-kubelet-client-cert-file': certFile(what.kubelet),
  'cluster-signing-kubelet-client-key-file': keyFile(what.kubelet),
  'cluster-signing-kubelet-serving-cert-file': certFile(what.serving),
  'cluster-signing-kubelet-serving-key-file': keyFile(what.serving),
  'cluster-signing-legacy-unknown-cert-file': certFile(what.legacy),
  'cluster-signing-legacy-unknown-key-file': keyFile(what.legacy),
}

/** The prefix of the flags of each signer. */
const signers = {
  'cluster-signing-kube-apiserver-client': 'kubernetes.io/kube-apiserver-client',
  'cluster-signing-kubelet-client': 'kubernetes.io/kube-apiserver-client-kubelet',
  'cluster-signing-kubelet-serving': 'kubernetes.io/kubelet-serving',
  'cluster-signing-legacy-unknown': 'kubernetes.io/legacy-unknown',
} as const satisfies Readonly<Record<string, SignerName>>

type SigningSetup = ControllerSetup<typeof signingFlags>

/** The key and certificate of each signer, read each time. A signer that is left out signs nothing. */
export type SigningAuthorities = Readonly<Partial<Record<SignerName, () => X509KeyPair>>>

/** Undefined if there is no authority at all. The cluster's own authority signs where no flag names another one. */
export function signingAuthorities(setup: SigningSetup): SigningAuthorities | undefined {
  const general = authorityFromFiles(setup, 'cluster-signing')
  const special = Object.entries(signers).flatMap(([prefix, signer]) => {
    const authority = authorityFromFiles(setup, prefix as keyof typeof signers)
    return authority ? [[signer, authority] as const] : []
  })
  if (general && special.length > 0)
    throw new UsageError(
      '--cluster-signing-cert-file cannot be used with the files of single signers; name one for all, or one for each',
    )
  if (special.length > 0) return Object.fromEntries(special)
  const { signing } = setup.credentials
  return general ? forAllSigners(general) : signing?.() && forAllSigners(signing)
}

/** The authority may be missing for a while; signing fails during that time. */
function forAllSigners(authority: () => X509KeyPair | undefined): SigningAuthorities {
  const required = () => {
    const credential = authority()
    if (!credential) throw new Error('the key of the signing authority is missing')
    return credential
  }
  return Object.fromEntries(Object.keys(signerValidations).map((name) => [name, required]))
}

/** Reads the files each time, so that new ones count at once. Throws if they cannot be used now. */
function authorityFromFiles(
  { flags, readFile }: SigningSetup,
  prefix: keyof typeof signers | 'cluster-signing',
): (() => X509KeyPair) | undefined {
  const cert = flags[`${prefix}-cert-file`]
  const key = flags[`${prefix}-key-file`]
  if (cert === undefined && key === undefined) return undefined
  if (cert === undefined || key === undefined)
    throw new UsageError(`--${prefix}-cert-file and --${prefix}-key-file must be given together`)
  const read = () => ({ cert: readFile(cert), key: readFile(key) })
  check(read(), cert, key)
  return read
}

function check(authority: X509KeyPair, cert: string, key: string): void {
  try {
    issuerOf(authority)
  } catch {
    // The parser's message is left out: it may quote the key.
    throw new Error(
      `${key} is not the key of the certificate in ${cert}; name two files in PEM form that belong together`,
    )
  }
}
