import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { DerError, type DerValue, derItems, derTag, derValues, dottedIdentifier } from '../../../base/der.js'
import { pemBlocks } from '../../pem.js'
import { type RequestedNames, requestedNames } from './alternative-names.js'

/** A PKCS #10 certificate request with a verified signature, which proves that the sender has the private key. */
export interface ParsedCertificateRequest {
  readonly commonName: string
  /** The groups of the certificate's user. */
  readonly organizations: readonly string[]
  /** All of the subject, in order. */
  readonly subject: readonly SubjectAttribute[]
  readonly alternativeNames: RequestedNames
  readonly publicKey: KeyObject
}

export interface SubjectAttribute {
  /** `2.5.4.3` */
  readonly type: string
  readonly value: string
}

/** A malformed request, with a message for clients. */
export class CertificateRequestError extends Error {}

/** Parses a request in PEM. Throws `CertificateRequestError`. */
export function parseCertificateRequest(text: string): ParsedCertificateRequest {
  const block = pemBlocks(text)[0]
  if (block?.type !== 'CERTIFICATE REQUEST')
    throw new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST')
  return readCertificateRequest(block.bytes)
}

/** Parses a request in DER. Throws `CertificateRequestError`. */
export function readCertificateRequest(bytes: Buffer): ParsedCertificateRequest {
  try {
    return readRequest(bytes)
  } catch (error) {
    if (error instanceof DerError) throw new CertificateRequestError(error.message)
    throw error
  }
}

function readRequest(bytes: Buffer): ParsedCertificateRequest {
  const [request, ...trailing] = derValues(bytes)
  if (trailing.length > 0) throw new CertificateRequestError('asn1: syntax error: trailing data')
  const [info, algorithm, signature] = derItems(request)
  const [, subject, keyInfo, attributes] = derItems(info)
  if (!subject || !keyInfo || signature?.tag !== derTag.bitString || signature.content[0] !== 0)
    throw new DerError('asn1: structure error: not a certificate request')
  const publicKey = readPublicKey(keyInfo.whole)
  checkSignature(
    { signed: info!.whole, algorithm: algorithmOf(algorithm), signature: signature.content.subarray(1) },
    publicKey,
  )
  const names = subjectIn(subject)
  const valuesOf = (attribute: string) => names.filter(({ type }) => type === attribute).map(({ value }) => value)
  return {
    commonName: valuesOf('2.5.4.3').at(-1) ?? '',
    organizations: valuesOf('2.5.4.10'),
    subject: names,
    alternativeNames: requestedNames(attributes),
    publicKey,
  }
}

function algorithmOf(algorithm: DerValue | undefined): string {
  const [identifier] = derItems(algorithm)
  return identifier?.tag === derTag.objectIdentifier ? identifier.content.toString('hex') : ''
}

function readPublicKey(bytes: Buffer): KeyObject {
  try {
    return createPublicKey({ key: bytes, format: 'der', type: 'spki' })
  } catch {
    throw new CertificateRequestError('x509: unsupported or malformed public key')
  }
}

/** Accepted signature algorithms by object identifier: the hash, and the name in errors. */
const algorithms: Readonly<Record<string, { readonly hash: string | null; readonly failure: string }>> = {
  '2a864886f70d01010b': { hash: 'sha256', failure: 'crypto/rsa: verification error' },
  '2a864886f70d01010c': { hash: 'sha384', failure: 'crypto/rsa: verification error' },
  '2a864886f70d01010d': { hash: 'sha512', failure: 'crypto/rsa: verification error' },
  '2a8648ce3d040302': { hash: 'sha256', failure: 'x509: ECDSA verification failure' },
  '2a8648ce3d040303': { hash: 'sha384', failure: 'x509: ECDSA verification failure' },
  '2a8648ce3d040304': { hash: 'sha512', failure: 'x509: ECDSA verification failure' },
  '2b6570': { hash: null, failure: 'x509: Ed25519 verification failure' },
}

interface Signed {
  readonly signed: Buffer
  readonly algorithm: string
  readonly signature: Buffer
}

function checkSignature({ signed, algorithm, signature }: Signed, publicKey: KeyObject): void {
  const known = algorithms[algorithm]
  if (!known) throw new CertificateRequestError('x509: cannot verify signature: algorithm unimplemented')
  if (!verify(known.hash, signed, publicKey, signature)) throw new CertificateRequestError(known.failure)
}

function subjectIn(name: DerValue): readonly SubjectAttribute[] {
  return derItems(name).flatMap((set) =>
    derItems(set, derTag.set).flatMap((pair) => {
      const [type, value] = derItems(pair)
      return type && value ? [{ type: dottedIdentifier(type.content), value: value.content.toString('utf8') }] : []
    }),
  )
}
