import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto'
import type { Environment } from '../../base/environment.js'
import { parseIp } from '../../schema/ip-address.js'
import * as der from './der.js'

/** A key and its certificate, both in PEM form. */
export interface Credential {
  readonly key: string
  readonly cert: string
}

export interface CertificateRequest {
  readonly commonName: string
  readonly organizations?: readonly string[]
  /** What it may be used for; an authority signs others. */
  readonly use: 'authority' | 'server' | 'client'
  /** Names and addresses that a server answers to. */
  readonly hosts?: readonly string[]
  /** In milliseconds since the epoch. */
  readonly notAfter: number
}

const ids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  rsaWithSha256: '1.2.840.113549.1.1.11',
  commonName: '2.5.4.3',
  organization: '2.5.4.10',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedUse: '2.5.29.37',
  server: '1.3.6.1.5.5.7.3.1',
  client: '1.3.6.1.5.5.7.3.2',
}

/** Clocks of other machines may be behind. */
const backdating = 5 * 60_000

export function newKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/**
 * A new key and a certificate for it, signed by the authority, or by itself if there is none. Written out here, because the
 * libraries that make certificates take longer to load than everything else at a server's first start together.
 */
export function issue(request: CertificateRequest, environment: Environment, authority?: Credential): Credential {
  return certify(newKey(), request, environment, authority)
}

/** The same for a key that exists. */
export function certify(
  key: string,
  request: CertificateRequest,
  environment: Environment,
  authority?: Credential,
): Credential {
  const body = certificateBody(request, { key, environment, authority })
  const signer = authority?.key ?? key
  return { key, cert: pem(der.sequence(body, algorithmOf(signer), der.bits(sign('sha256', body, signer)))) }
}

/** Keys made here are of one kind; an authority that somebody brings along may be of the other. */
function algorithmOf(signer: string): der.Der {
  const isRsa = createPrivateKey(signer).asymmetricKeyType === 'rsa'
  return isRsa
    ? der.sequence(der.identifier(ids.rsaWithSha256), der.nothing)
    : der.sequence(der.identifier(ids.ecdsaWithSha256))
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').replace(/.{64}(?!$)/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}

interface Signing {
  readonly key: string
  readonly environment: Environment
  readonly authority: Credential | undefined
}

function certificateBody(request: CertificateRequest, { key, environment, authority }: Signing): der.Der {
  const publicKey = createPublicKey(key)
  const subject = nameOf(request)
  const issuer = authority && new X509Certificate(authority.cert)
  return der.sequence(
    der.explicit(0, der.integer(2n)),
    der.integer(serialNumber(environment)),
    algorithmOf(authority?.key ?? key),
    issuer ? subjectOf(issuer) : subject,
    der.sequence(der.time(environment.clock.now() - backdating), der.time(request.notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensionsOf(request, publicKey, issuer?.publicKey ?? publicKey))),
  )
}

/** As it stands there, because those who verify compare bytes. */
function subjectOf(certificate: X509Certificate): der.Der {
  const [body] = der.partsOf(certificate.raw)
  const [, , , , , subject] = der.partsOf(body!)
  return subject!
}

/** 127 bits of chance, and not zero. */
function serialNumber({ random }: Environment): bigint {
  const bytes = Buffer.from(random.bytes(16))
  return (BigInt(`0x${bytes.toString('hex')}`) >> 1n) | 1n
}

function nameOf({ organizations = [], commonName }: Pick<CertificateRequest, 'organizations' | 'commonName'>): der.Der {
  const part = (id: string, content: string) => der.set(der.sequence(der.identifier(id), der.text(content)))
  return der.sequence(
    ...organizations.map((organization) => part(ids.organization, organization)),
    part(ids.commonName, commonName),
  )
}

function extensionsOf(
  { use, hosts = [] }: CertificateRequest,
  subjectKey: KeyObject,
  authorityKey: KeyObject,
): der.Der[] {
  const isAuthority = use === 'authority'
  const shared = [
    // digitalSignature, keyEncipherment and keyCertSign; digitalSignature
    extension(ids.keyUsage, isAuthority ? der.bits(Buffer.from([0xa4]), 2) : der.bits(Buffer.from([0x80]), 7), true),
    extension(ids.basicConstraints, der.sequence(...(isAuthority ? [der.boolean(true)] : [])), true),
    extension(ids.subjectKey, der.bytes(keyIdentifier(subjectKey))),
    extension(ids.authorityKey, der.sequence(der.implicit(0, keyIdentifier(authorityKey)))),
  ]
  if (isAuthority) return shared
  const uses = extension(ids.extendedUse, der.sequence(der.identifier(ids[use])))
  if (hosts.length === 0) return [...shared, uses]
  return [...shared, uses, extension(ids.alternativeNames, der.sequence(...hosts.map(alternativeName)))]
}

function extension(id: string, content: der.Der, isCritical = false): der.Der {
  return der.sequence(der.identifier(id), ...(isCritical ? [der.boolean(true)] : []), der.bytes(content))
}

/** Of the key's bits alone, as most authorities compute it. */
function keyIdentifier(key: KeyObject): Buffer {
  const [, keyBits] = der.partsOf(key.export({ type: 'spki', format: 'der' }))
  return createHash('sha1').update(der.bitsOf(keyBits!)).digest()
}

function alternativeName(host: string): der.Der {
  const address = parseIp(host)
  return address ? der.implicit(7, Uint8Array.from(address.bytes)) : der.implicit(2, Buffer.from(host))
}
