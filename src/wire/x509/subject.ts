import { type Der, der } from '../../base/der.js'

/** What a name is made of: an attribute by its number, and its values. */
export interface SubjectPart {
  readonly attribute: string
  readonly values: readonly string[]
}

export const attributes = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const

/** Values of the same attribute stand beside each other; those that are empty leave nothing behind. */
export function subjectOf(parts: readonly SubjectPart[]): Der {
  const sets = parts.filter(({ values }) => values.length > 0).map(({ attribute, values }) => set(attribute, values))
  return der.sequence(...sets)
}

/** A set has one order in DER: that of the bytes. */
function set(attribute: string, values: readonly string[]): Der {
  const pairs = values.map((value) => der.sequence(der.identifier(attribute), der.text(value)))
  return der.set(...pairs.sort(Buffer.compare))
}
