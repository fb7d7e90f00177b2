/**
 * Reads and writes the annotations of v1 autoscalers. Servers write them, but clients can as well. They are read like upstream does: keys
 * ignore case, and a text with any value of a wrong type counts as absent.
 */
import type { JsonObject, JsonValue } from '../../../schema/declaration.js'
import { isList, isObject } from '../../../schema/json-value.js'
import { ValueError } from '../../../schema/value-error.js'
import { canonicalQuantity } from '../../../schema/values/quantity.js'

/** Parses the text with `read`; undefined if it is absent, null or malformed. */
export function readAnnotation<T>(text: string | undefined, read: (value: JsonValue) => T): T | undefined {
  if (text === undefined) return undefined
  try {
    const value: JsonValue = JSON.parse(text)
    return value === null ? undefined : read(value)
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ValueError) return undefined
    throw error
  }
}

/** Formats JSON with HTML characters escaped, as Go does. */
export function annotationText(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

export class AnnotatedObject {
  readonly #members: ReadonlyMap<string, JsonValue>

  constructor(value: JsonValue | undefined) {
    if (!isObject(value)) throw new ValueError('not an object')
    this.#members = new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]))
  }

  text(name: string): string {
    return this.optionalText(name) ?? ''
  }

  optionalText(name: string): string | undefined {
    const value = this.#get(name)
    if (value !== undefined && typeof value !== 'string') throw new ValueError(`${name} is not a string`)
    return value
  }

  integer(name: string): number {
    return this.optionalInteger(name) ?? 0
  }

  optionalInteger(name: string): number | undefined {
    const value = this.#get(name)
    if (value !== undefined && !Number.isInteger(value)) throw new ValueError(`${name} is not a whole number`)
    return value as number | undefined
  }

  quantity(name: string): string | undefined {
    const value = this.#get(name)
    if (value === undefined) return undefined
    if (typeof value !== 'string' && typeof value !== 'number') throw new ValueError(`${name} is not a quantity`)
    return canonicalQuantity(String(value))
  }

  object<T>(name: string, read: (object: AnnotatedObject) => T): T | undefined {
    const value = this.#get(name)
    return value === undefined ? undefined : read(new AnnotatedObject(value))
  }

  list<T>(name: string, read: (object: AnnotatedObject) => T): T[] | undefined {
    const value = this.#get(name)
    return value === undefined ? undefined : annotatedList(value, read)
  }

  /** As it is. */
  json<T extends object>(name: string): T | undefined {
    const value = this.#get(name)
    if (value !== undefined && !isObject(value)) throw new ValueError(`${name} is not an object`)
    return value as (JsonObject & T) | undefined
  }

  #get(name: string): JsonValue | undefined {
    return this.#members.get(name.toLowerCase()) ?? undefined
  }
}

export function annotatedList<T>(value: JsonValue, read: (object: AnnotatedObject) => T): T[] {
  if (!isList(value)) throw new ValueError('not a list')
  return value.map((element) => read(new AnnotatedObject(element)))
}
