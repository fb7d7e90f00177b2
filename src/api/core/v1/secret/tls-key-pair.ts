import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type PemBlock, pemBlocks, pemText } from '../../../pem.js'

/** Returns upstream's message if a certificate and a private key do not match; undefined if they do. */
export function keyPairProblem(certificate: string, key: string): string | undefined {
  const certificates = pemBlocks(certificate)
  const found = certificates.find(({ type }) => type === 'CERTIFICATE')
  if (!found) return noCertificate(certificates)
  const keys = pemBlocks(key)
  const foundKey = keys.find(({ type }) => isPrivateKey(type))
  if (!foundKey) return noPrivateKey(keys)
  return mismatch(found, foundKey)
}

function isPrivateKey(type: string): boolean {
  return type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY')
}

function noCertificate(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in certificate input'
  if (blocks.length === 1 && isPrivateKey(blocks[0]!.type))
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched'
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types(blocks)}]`
}

function noPrivateKey(blocks: readonly PemBlock[]): string {
  if (blocks.length === 0) return 'tls: failed to find any PEM data in key input'
  if (blocks.length === 1 && blocks[0]!.type === 'CERTIFICATE')
    return 'tls: found a certificate rather than a key in the PEM for the private key'
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types(blocks)}]`
}

function types(blocks: readonly PemBlock[]): string {
  return blocks.map(({ type }) => type).join(' ')
}

function mismatch(certificate: PemBlock, key: PemBlock): string | undefined {
  const publicKey = attempt(() => new X509Certificate(certificate.bytes).publicKey)
  if (!publicKey) return 'x509: malformed certificate'
  const privateKey = attempt(() => createPrivateKey(pemText(key)))
  if (!privateKey) return 'tls: failed to parse private key'
  if (privateKey.asymmetricKeyType !== publicKey.asymmetricKeyType)
    return 'tls: private key type does not match public key type'
  return isSameKey(createPublicKey(privateKey), publicKey) ? undefined : 'tls: private key does not match public key'
}

function isSameKey(one: KeyObject, other: KeyObject): boolean {
  return one.equals(other)
}

/** Undefined if the library rejects the text as malformed. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
