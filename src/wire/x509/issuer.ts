import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { type Der, type DerValue, der, derItems, derValues } from '../../base/der.js'
import { extensionIds, keyIdentifier } from './extensions.js'

/** A key and its certificate, both in PEM form. */
export interface X509KeyPair {
  readonly key: string
  readonly cert: string
}

/** The key and the name that sign certificates. */
export interface Issuer {
  /** The bytes of the subject in the issuer's certificate: verification compares bytes. */
  readonly name: Der
  readonly key: KeyObject
  /** From the issuer's certificate: there is more than one way to compute it. */
  readonly keyIdentifier: Buffer
  /** In milliseconds since the epoch. */
  readonly notAfter: number
}

/** Throws if the certificate or the key is invalid, or if they do not match. */
export function issuerOf({ cert, key: pem }: X509KeyPair): Issuer {
  const certificate = new X509Certificate(cert)
  const key = createPrivateKey(pem)
  if (!certificate.checkPrivateKey(key)) throw new Error('the key does not match the certificate')
  const fields = fieldsOf(certificate)
  return {
    name: nameIn(fields),
    key,
    keyIdentifier: subjectKeyOf(fields) ?? keyIdentifier(certificate.publicKey),
    notAfter: Date.parse(certificate.validTo),
  }
}

const versionTag = 0xa0
const extensionsTag = 0xa3

/** Returns the subject. It follows the optional version, the serial number, the algorithm, the issuer and the dates. */
function nameIn(fields: readonly DerValue[]): Der {
  return fields[fields[0]!.tag === versionTag ? 5 : 4]!.whole
}

function fieldsOf({ raw }: X509Certificate): readonly DerValue[] {
  const [body] = derItems(derValues(raw)[0])
  return derItems(body)
}

function subjectKeyOf(fields: readonly DerValue[]): Buffer | undefined {
  const extensions = fields.find(({ tag }) => tag === extensionsTag)
  if (!extensions) return undefined
  const id = der.identifier(extensionIds.subjectKey)
  for (const extension of derItems(derValues(extensions.content)[0])) {
    const parts = derItems(extension)
    if (parts[0]?.whole.equals(id)) return derValues(parts.at(-1)!.content)[0]?.content
  }
  return undefined
}
