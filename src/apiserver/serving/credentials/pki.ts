import { createHash, createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import type { Environment } from '../../../base/environment.js'
import { type CertificateOptions, certify, issue, newKey } from '../../../wire/x509/certificate.js'
import type { X509KeyPair } from '../../../wire/x509/issuer.js'
import { CredentialFiles } from './credential-files.js'

/** The cluster's own keys and certificates, in PEM form. */
export interface Pki {
  /** The certificate of the CA. */
  readonly authority: string
  /** Undefined if the key is not in the folder. */
  readonly authorityKey: string | undefined
  readonly serving: X509KeyPair
  /** Client certificates of the administrator and of each component. */
  readonly clients: readonly ClientCredential[]
  /** The client certificate of the server for kubelets. */
  readonly kubeletClient: X509KeyPair
  /** The key that signs tokens of service accounts. */
  readonly serviceAccountKey: string
}

/** A client certificate; `name` is the name of its files. */
export interface ClientCredential {
  readonly name: string
  readonly user: string
  readonly credential: X509KeyPair
}

export interface PkiOptions {
  readonly folder: string
  /** Names and addresses of the server. */
  readonly hosts: readonly string[]
  /** Whether the files need not survive a crash of the host. */
  readonly isPassing?: boolean | undefined
}

/** Each has a user of its own, with the rights of that user's roles only. */
const clients = (): readonly { readonly name: string; readonly user: string; readonly groups: readonly string[] }[] => [
  { name: 'admin', user: 'kubernetes-admin', groups: ['system:masters'] },
  { name: 'controller-manager', user: 'system:kube-controller-manager', groups: [] },
  { name: 'scheduler', user: 'system:kube-scheduler', groups: [] },
  { name: 'proxy', user: 'system:kube-proxy', groups: ['system:node-proxier'] },
  { name: 'kubelet', user: `system:node:${hostname().toLowerCase()}`, groups: ['system:nodes'] },
]

const day = 24 * 60 * 60_000
const authorityLife = 3650 * day
const certificateLife = 365 * day

/** Thrown if the keys of the cluster are unusable. The message says how to repair them. */
export class PkiError extends Error {
  override readonly name = 'PkiError'
}

/**
 * Reads the keys and certificates of a folder, and creates those that are missing, do not match or expire soon. Repairs the folder after a
 * crash at any moment. The key of the CA never changes, so that all signed certificates stay valid.
 */
export function preparePki({ folder, hosts, isPassing }: PkiOptions, environment: Environment): Pki {
  const files = new CredentialFiles(folder, { isPassing })
  const authority = prepareAuthority(files, environment)
  const prepare = (name: string, request: Omit<CertificateOptions, 'notAfter'>) =>
    prepareCertificate(files, name, request, { authority, environment })
  return {
    authority: authority.cert,
    authorityKey: authority.key,
    serving: prepare('apiserver', { commonName: 'kube-apiserver', use: 'server', hosts }),
    clients: clients().map(({ name, user, groups }) => {
      const credential = prepare(name, { commonName: user, organizations: groups, use: 'client' })
      return { name, user, credential }
    }),
    kubeletClient: prepare('apiserver-kubelet-client', {
      commonName: 'kube-apiserver-kubelet-client',
      organizations: ['system:masters'],
      use: 'client',
    }),
    serviceAccountKey: prepareServiceAccountKey(files),
  }
}

interface Authority {
  readonly cert: string
  /** The key may be elsewhere as long as nothing has to be signed. */
  readonly key: string | undefined
}

/** Writes the key first: a certificate without its key is useless, but a key can get a new certificate. */
function prepareAuthority(files: CredentialFiles, environment: Environment): Authority {
  const cert = files.read('ca.crt')
  const key = files.read('ca.key')
  if (cert !== undefined && key !== undefined && !belongTogether(cert, key))
    throw new PkiError(
      `${files.path('ca.key')} is not the key of ca.crt; put the right one there, or remove both to make new ones`,
    )
  if (cert !== undefined && (key === undefined || !endsSoon(cert, environment))) return { cert, key }
  const newOrKnown = key ?? newKey()
  if (key === undefined) files.write('ca.key', newOrKnown)
  const notAfter = environment.clock.now() + authorityLife
  const made = certify(newOrKnown, { commonName: 'kubernetes', use: 'authority', notAfter }, environment)
  files.write('ca.crt', made.cert)
  return made
}

interface Issuing {
  readonly authority: Authority
  readonly environment: Environment
}

function prepareCertificate(
  files: CredentialFiles,
  name: string,
  request: Omit<CertificateOptions, 'notAfter'>,
  { authority, environment }: Issuing,
): X509KeyPair {
  const cert = files.read(`${name}.crt`)
  const key = files.read(`${name}.key`)
  if (cert !== undefined && key !== undefined) {
    const known = { cert, key }
    if (isSound(known, authority, environment) && coversHosts(cert, ...(request.hosts ?? []))) return known
  }
  const { key: authorityKey, cert: authorityCert } = authority
  if (authorityKey === undefined)
    throw new PkiError(
      `a new ${files.path(`${name}.crt`)} is needed, but ca.key, which must sign it, is not there; put it back`,
    )
  const notAfter = environment.clock.now() + certificateLife
  const made = issue({ ...request, notAfter }, environment, { cert: authorityCert, key: authorityKey })
  files.write(`${name}.key`, made.key)
  files.write(`${name}.crt`, made.cert)
  return made
}

function isSound({ cert, key }: X509KeyPair, authority: Authority, environment: Environment): boolean {
  return belongTogether(cert, key) && !endsSoon(cert, environment) && isSignedBy(cert, authority.cert)
}

const belongTogether = cachedByText((cert = '', key = '') =>
  new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)),
)

const isSignedBy = cachedByText((cert = '', authority = '') =>
  new X509Certificate(cert).verify(createPublicKey(authority)),
)

const lifeOf = cachedByText((cert = '') => {
  const { validFrom, validTo } = new X509Certificate(cert)
  return { start: Date.parse(validFrom), end: Date.parse(validTo) }
})

/** Reports whether less than a third of its life is left: enough time for a server that is only started now and then. */
function endsSoon(cert: string, { clock }: Environment): boolean {
  const { start, end } = lifeOf(cert)
  return end - clock.now() < (end - start) / 3
}

const coversHosts = cachedByText((cert = '', ...hosts) => {
  const certificate = new X509Certificate(cert)
  return hosts.every((host) => (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)))
})

function prepareServiceAccountKey(files: CredentialFiles): string {
  const known = files.read('sa.key')
  if (known !== undefined) return known
  const made = newKey()
  files.write('sa.key', made)
  return made
}

/** Much more than the number of files of one server. */
const maxCached = 64

/**
 * Returns a function that caches its last results: the server checks its files every minute, and they rarely change. The cache has digests of
 * the arguments, not the arguments: they may be keys.
 */
export function cachedByText<T>(compute: (...texts: readonly string[]) => T): (...texts: readonly string[]) => T {
  const known = new Map<string, T>()
  return (...texts) => {
    const key = digestOf(texts)
    const found = known.get(key)
    if (found !== undefined) return found
    const made = compute(...texts)
    known.set(key, made)
    if (known.size > maxCached) known.delete(known.keys().next().value!)
    return made
  }
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length} `).update(text)
  return hash.digest('base64')
}
