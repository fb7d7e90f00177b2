import { createHash, type KeyObject } from 'node:crypto'
import { type Der, der, derItems, derValues } from '../../base/der.js'

/** Object identifiers of certificate extensions. */
export const extensionIds = {
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  alternativeNames: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
} as const

function extension(name: keyof typeof extensionIds, content: Der, isCritical = false): Der {
  const id = der.identifier(extensionIds[name])
  return der.sequence(id, ...(isCritical ? [der.boolean(true)] : []), der.bytes(content))
}

/** Takes bit numbers, at least one: 0 is `digitalSignature`, 8 `decipherOnly`. */
export function keyUsage(bits: readonly number[]): Der {
  const highest = Math.max(...bits)
  const bytes = Buffer.alloc((highest >> 3) + 1)
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7)
  return extension('keyUsage', der.bits(bytes, 7 - (highest & 7)), true)
}

/** Takes object identifiers. */
export function extendedUsage(ids: readonly string[]): Der {
  return extension('extendedUsage', der.sequence(...ids.map(der.identifier)))
}

export function basicConstraints(isAuthority: boolean): Der {
  return extension('basicConstraints', der.sequence(...(isAuthority ? [der.boolean(true)] : [])), true)
}

export function subjectKey(identifier: Uint8Array): Der {
  return extension('subjectKey', der.bytes(identifier))
}

export function authorityKey(identifier: Uint8Array): Der {
  return extension('authorityKey', der.sequence(der.implicit(0, identifier)))
}

export interface SubjectAlternativeNames {
  readonly dnsNames?: readonly string[]
  readonly emailAddresses?: readonly string[]
  /** Four bytes each, or sixteen. */
  readonly ipAddresses?: readonly Uint8Array[]
  readonly uris?: readonly string[]
}

/** They must be critical if the subject is empty. */
export function alternativeNames(names: SubjectAlternativeNames, isCritical = false): Der {
  const { dnsNames = [], emailAddresses = [], ipAddresses = [], uris = [] } = names
  const content = der.sequence(
    ...dnsNames.map((name) => der.implicit(2, Buffer.from(name))),
    ...emailAddresses.map((address) => der.implicit(1, Buffer.from(address))),
    ...ipAddresses.map((address) => der.implicit(7, address)),
    ...uris.map((uri) => der.implicit(6, Buffer.from(uri))),
  )
  return extension('alternativeNames', content, isCritical)
}

/** Hashes the bits of the key alone, as most CAs do. */
export function keyIdentifier(key: KeyObject): Buffer {
  const [, bits] = derItems(derValues(key.export({ type: 'spki', format: 'der' }))[0])
  return createHash('sha1').update(bits!.content.subarray(1)).digest()
}
