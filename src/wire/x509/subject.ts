import { type Der, der } from '../../base/der.js'

/** An attribute of a name, by its object identifier, and its values. */
export interface SubjectPart {
  readonly attribute: string
  readonly values: readonly string[]
}

export const attributes = { commonName: '2.5.4.3', organization: '2.5.4.10' } as const

/** Encodes a name. Attributes without values are left out. */
export function subjectOf(parts: readonly SubjectPart[]): Der {
  const sets = parts.filter(({ values }) => values.length > 0).map(({ attribute, values }) => set(attribute, values))
  return der.sequence(...sets)
}

/** DER sorts the members of a set by their bytes. */
function set(attribute: string, values: readonly string[]): Der {
  const pairs = values.map((value) => der.sequence(der.identifier(attribute), der.text(value)))
  return der.set(...pairs.sort(Buffer.compare))
}
