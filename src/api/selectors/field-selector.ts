import { quote } from '../../schema/quote.js'
import type { RegistryStrategy } from '../../schema/strategy.js'
import { ValueError } from '../../schema/value-error.js'

/** One requirement on a field of an object. */
export interface FieldRequirement {
  /** The name of the field: `spec.nodeName`. */
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** The value of a field of an object as text; empty where there is none. */
export type FieldGetter<T> = (object: T) => string

/** Selects objects by fields. Each kind declares the supported fields. Immutable. */
export class FieldSelector {
  readonly requirements: readonly FieldRequirement[]

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements
  }

  static readonly everything = new FieldSelector([])

  /** Parses a query: `spec.nodeName=a,status.phase!=Failed`. Throws `ValueError`. */
  static parse(text: string): FieldSelector {
    if (text === '') return FieldSelector.everything
    const terms = splitTerms(text).filter((term) => term !== '')
    const requirements = terms.sort().map((term) => parseTerm(term, text))
    return new FieldSelector(requirements.filter(({ field, value }) => field !== '' || value !== ''))
  }

  get isEmpty(): boolean {
    return this.requirements.length === 0
  }

  /** The exact value that `field` must have, if there is one. */
  exactValue(field: string): string | undefined {
    return this.requirements.find((one) => one.field === field && one.operator === '=')?.value
  }

  /** Compiles a predicate for objects. `fieldValue` returns the getter of a field, and throws for unsupported fields. */
  matcher<T>(fieldValue: (field: string) => FieldGetter<T>): (object: T) => boolean {
    const tests = this.requirements.map(({ field, operator, value }) => {
      const read = fieldValue(field)
      return operator === '=' ? (object: T) => read(object) === value : (object: T) => read(object) !== value
    })
    return (object) => {
      for (const test of tests) if (!test(object)) return false
      return true
    }
  }

  /** The canonical form, which `parse` accepts. */
  toString(): string {
    return this.requirements.map(({ field, operator, value }) => `${field}${operator}${escapeValue(value)}`).join(',')
  }
}

/** Splits at commas, except for escaped ones. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === ',') {
      terms.push(text.slice(start, i))
      start = i + 1
    }
  }
  return [...terms, text.slice(start)]
}

/** Splits at the first operator, because names of fields contain none. */
function parseTerm(term: string, selector: string): FieldRequirement {
  const match = /!=|==|=/.exec(term)
  if (!match) throw new ValueError(`invalid selector: '${selector}'; can't understand '${term}'`)
  const [sign] = match
  return {
    field: term.slice(0, match.index),
    operator: sign === '!=' ? '!=' : '=',
    value: unescapeValue(term.slice(match.index + sign.length)),
  }
}

/** Escapes a value for a selector. */
export function escapeValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

/** Unescapes a value. Rejects unnecessary and missing escapes. */
function unescapeValue(text: string): string {
  return text.replace(/\\(.?)|[,=]/gsu, (match, escaped?: string) => {
    if (escaped === undefined)
      throw new ValueError(`invalid field selector: unescaped character in value: ${match.charCodeAt(0)}`)
    if (escaped !== '\\' && escaped !== ',' && escaped !== '=')
      throw new ValueError(`invalid field selector: invalid escape sequence: ${match}`)
    return escaped
  })
}

/** The error for an unsupported field of a kind without selectable fields of its own. */
export function unknownField(field: string): ValueError {
  const known = ['metadata.name', 'metadata.namespace'].map(quote).join(', ')
  return new ValueError(`${quote(field)} is not a known field selector: only ${known}`)
}

/** The error for an unsupported field of a kind with selectable fields. */
export function unsupportedField(
  field: string,
  strategy: Pick<RegistryStrategy<never>, 'unsupportedField'> = {},
): ValueError {
  return new ValueError(strategy.unsupportedField?.(field) ?? `field label not supported: ${field}`)
}
