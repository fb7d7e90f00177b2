import { DerError, type DerValue, derItems, derTag, derValues, dottedIdentifier } from '../../../base/der.js'

/** The subject alternative names in a certificate request. */
export interface RequestedNames {
  readonly dnsNames: readonly string[]
  readonly emailAddresses: readonly string[]
  /** Four bytes each, or sixteen. */
  readonly ipAddresses: readonly Buffer[]
  readonly uris: readonly string[]
}

export const noAlternativeNames: RequestedNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] }

const extensionRequest = '1.2.840.113549.1.9.14'
const subjectAlternativeName = '2.5.29.17'

/** Reads the names from the attributes of a request, if it has any. */
export function requestedNames(attributes: DerValue | undefined): RequestedNames {
  if (attributes?.tag !== derTag.attributes) return noAlternativeNames
  for (const attribute of derValues(attributes.content)) {
    const [type, values] = derItems(attribute)
    if (!isCalled(type, extensionRequest)) continue
    const [extensions] = derItems(values, derTag.set)
    for (const extension of derItems(extensions)) {
      const parts = derItems(extension)
      if (isCalled(parts[0], subjectAlternativeName)) return namesIn(parts.at(-1)!)
    }
  }
  return noAlternativeNames
}

function isCalled(identifier: DerValue | undefined, dotted: string): boolean {
  return identifier?.tag === derTag.objectIdentifier && dottedIdentifier(identifier.content) === dotted
}

/** The context-specific tags of the types of names. */
const kinds = { email: 0x81, dns: 0x82, uri: 0x86, ip: 0x87 }

function namesIn({ tag, content }: DerValue): RequestedNames {
  if (tag !== derTag.octetString) throw new DerError('x509: invalid subject alternative names')
  const [names] = derValues(content)
  const all = derItems(names)
  const of = (kind: number) => all.filter((name) => name.tag === kind)
  return {
    dnsNames: of(kinds.dns).map((name) => plainText(name, 'dNSName')),
    emailAddresses: of(kinds.email).map((name) => plainText(name, 'rfc822Name')),
    ipAddresses: of(kinds.ip).map(addressOf),
    uris: of(kinds.uri).map((name) => plainText(name, 'uniformResourceIdentifier')),
  }
}

function plainText({ content }: DerValue, kind: string): string {
  if (content.some((byte) => byte > 0x7f)) throw new DerError(`x509: SAN ${kind} is malformed`)
  return content.toString('latin1')
}

function addressOf({ content }: DerValue): Buffer {
  if (content.length !== 4 && content.length !== 16)
    throw new DerError(`x509: cannot parse IP address of length ${content.length}`)
  return content
}
