import { type KeyObject, sign } from 'node:crypto'
import { type Der, der } from '../../base/der.js'

interface SignatureAlgorithm {
  /** Null if the algorithm has its own. */
  readonly hash: string | null
  readonly identifier: Der
}

const rsa: SignatureAlgorithm = {
  hash: 'sha256',
  identifier: der.sequence(der.identifier('1.2.840.113549.1.1.11'), der.null),
}

const ed25519: SignatureAlgorithm = { hash: null, identifier: der.sequence(der.identifier('1.3.101.112')) }

function ecdsa(hash: string, id: string): SignatureAlgorithm {
  return { hash, identifier: der.sequence(der.identifier(id)) }
}

/** The larger the curve, the larger the hash. */
const ecdsaByCurve: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: ecdsa('sha256', '1.2.840.10045.4.3.2'),
  secp384r1: ecdsa('sha384', '1.2.840.10045.4.3.3'),
  secp521r1: ecdsa('sha512', '1.2.840.10045.4.3.4'),
}

/** Returns the signature algorithm of a key. Throws if certificates cannot be signed with it. */
export function signatureAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): SignatureAlgorithm {
  const known: Readonly<Record<string, SignatureAlgorithm | undefined>> = {
    rsa,
    ed25519,
    ec: ecdsaByCurve[asymmetricKeyDetails?.namedCurve ?? ''],
  }
  const algorithm = known[asymmetricKeyType ?? '']
  if (!algorithm)
    throw new Error(
      `certificates cannot be signed by a key of type ${asymmetricKeyType}; it must be RSA, Ed25519, or on the curve P-256, P-384 or P-521`,
    )
  return algorithm
}

export function signatureOf(body: Uint8Array, key: KeyObject): Buffer {
  return sign(signatureAlgorithm(key).hash, body, key)
}
