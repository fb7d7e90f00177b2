import { createPrivateKey, createPublicKey } from 'node:crypto'
import { pemText } from '../../api/pem.js'
import { type Der, der } from '../../base/der.js'
import { alternativeNames, type SubjectAlternativeNames } from './extensions.js'
import { signatureAlgorithm, signatureOf } from './signature.js'
import { attributes, type SubjectPart, subjectOf } from './subject.js'

export interface CertificateRequestOptions extends SubjectAlternativeNames {
  readonly commonName?: string
  readonly organizations?: readonly string[]
  /** Further attributes of the subject. */
  readonly more?: readonly SubjectPart[]
}

const extensionRequest = '1.2.840.113549.1.9.14'

/** Returns a certificate request (PKCS #10) in PEM form, signed with its own key. */
export function certificateRequest(pem: string, wanted: CertificateRequestOptions): string {
  const key = createPrivateKey(pem)
  const body = der.sequence(
    der.integer(0n),
    subjectFor(wanted),
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    der.explicit(0, attributesFor(wanted)),
  )
  const bytes = der.sequence(body, signatureAlgorithm(key).identifier, der.bits(signatureOf(body, key)))
  return pemText({ type: 'CERTIFICATE REQUEST', hasHeaders: false, bytes })
}

function subjectFor({ commonName, organizations = [], more = [] }: CertificateRequestOptions): Der {
  const groups = organizations.map((organization) => ({ attribute: attributes.organization, values: [organization] }))
  const names = commonName === undefined ? [] : [{ attribute: attributes.commonName, values: [commonName] }]
  return subjectOf([...groups, ...more, ...names])
}

function attributesFor({ dnsNames, emailAddresses, ipAddresses, uris }: CertificateRequestOptions): Der {
  const names = { dnsNames: dnsNames ?? [], emailAddresses: emailAddresses ?? [], ipAddresses: ipAddresses ?? [] }
  const all = { ...names, uris: uris ?? [] }
  if (Object.values(all).every((some) => some.length === 0)) return Buffer.alloc(0)
  const extensions = der.sequence(alternativeNames(all))
  return der.sequence(der.identifier(extensionRequest), der.set(extensions))
}
