import type { KeyObject } from 'node:crypto'
import { pemText } from '../../api/pem.js'
import { type Der, der } from '../../base/der.js'
import type { Random } from '../../base/random.js'
import type { Issuer } from './issuer.js'
import { signatureAlgorithm, signatureOf } from './signature.js'

/** The content that an issuer signs. Times are milliseconds since the epoch. */
export interface CertificateContent {
  readonly subject: Der
  readonly publicKey: KeyObject
  readonly notBefore: number
  readonly notAfter: number
  readonly extensions: readonly Der[]
}

/** Signs a certificate, and returns it in PEM form. */
export function signedCertificate(
  { subject, publicKey, notBefore, notAfter, extensions }: CertificateContent,
  { name, key }: Pick<Issuer, 'name' | 'key'>,
  random: Random,
): string {
  const algorithm = signatureAlgorithm(key).identifier
  const body = der.sequence(
    der.explicit(0, der.integer(2n)),
    der.integer(serialNumber(random)),
    algorithm,
    name,
    der.sequence(der.time(notBefore), der.time(notAfter)),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der.explicit(3, der.sequence(...extensions)),
  )
  const bytes = der.sequence(body, algorithm, der.bits(signatureOf(body, key)))
  return pemText({ type: 'CERTIFICATE', hasHeaders: false, bytes })
}

/** 127 random bits, not zero. */
function serialNumber(random: Random): bigint {
  const bytes = Buffer.from(random.bytes(16))
  return (BigInt(`0x${bytes.toString('hex')}`) >> 1n) | 1n
}
