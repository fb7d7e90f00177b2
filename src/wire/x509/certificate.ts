import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Der } from '../../base/der.js'
import type { Environment } from '../../base/environment.js'
import { parseIp } from '../../schema/values/ip-address.js'
import {
  alternativeNames,
  authorityKey,
  basicConstraints,
  extendedUsage,
  keyIdentifier,
  keyUsage,
  subjectKey,
} from './extensions.js'
import { type Issuer, issuerOf, type X509KeyPair } from './issuer.js'
import { signedCertificate } from './signed-certificate.js'
import { attributes, subjectOf } from './subject.js'

export interface CertificateOptions {
  readonly commonName: string
  readonly organizations?: readonly string[]
  /** What the certificate may be used for. An authority signs other certificates. */
  readonly use: 'authority' | 'server' | 'client'
  /** DNS names and IP addresses of a server. */
  readonly hosts?: readonly string[]
  /** Milliseconds since the epoch. */
  readonly notAfter: number
}

/** Certificates are valid from this many milliseconds ago: the clocks of other hosts may be slow. */
export const backdating = 5 * 60_000

export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/**
 * Issues a certificate for a new key, signed by the authority, or self-signed if there is none. Libraries for certificates take longer to
 * load than everything else at the first start of a server.
 */
export function issue(request: CertificateOptions, environment: Environment, authority?: X509KeyPair): X509KeyPair {
  return certify(newKey(), request, environment, authority)
}

/** Issues a certificate for an existing key. */
export function certify(
  key: string,
  request: CertificateOptions,
  { clock, random }: Environment,
  authority?: X509KeyPair,
): X509KeyPair {
  const publicKey = createPublicKey(key)
  const subject = nameOf(request)
  const issuer = authority
    ? issuerOf(authority)
    : { name: subject, key: createPrivateKey(key), keyIdentifier: keyIdentifier(publicKey) }
  const { notAfter } = request
  const extensions = extensionsOf(request, publicKey, issuer)
  const content = { subject, publicKey, notBefore: clock.now() - backdating, notAfter, extensions }
  return { key, cert: signedCertificate(content, issuer, random) }
}

/** Organizations come before the common name, as usual. */
function nameOf({ organizations = [], commonName }: CertificateOptions): Der {
  const groups = organizations.map((organization) => ({ attribute: attributes.organization, values: [organization] }))
  return subjectOf([...groups, { attribute: attributes.commonName, values: [commonName] }])
}

const digitalSignature = 0
const keyEncipherment = 2
const keyCertSign = 5
const purposes = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' }

function extensionsOf(
  { use, hosts = [] }: CertificateOptions,
  publicKey: KeyObject,
  issuer: Pick<Issuer, 'keyIdentifier'>,
): Der[] {
  const isAuthority = use === 'authority'
  const shared = [
    keyUsage(isAuthority ? [digitalSignature, keyEncipherment, keyCertSign] : [digitalSignature]),
    basicConstraints(isAuthority),
    subjectKey(keyIdentifier(publicKey)),
    authorityKey(issuer.keyIdentifier),
  ]
  if (isAuthority) return shared
  const uses = extendedUsage([purposes[use]])
  return hosts.length === 0 ? [...shared, uses] : [...shared, uses, alternativeNames(namesOf(hosts))]
}

function namesOf(hosts: readonly string[]) {
  const addresses = hosts.map((host) => parseIp(host))
  return {
    dnsNames: hosts.filter((_, index) => !addresses[index]),
    ipAddresses: addresses.filter((address) => address !== undefined).map(({ bytes }) => Uint8Array.from(bytes)),
  }
}
