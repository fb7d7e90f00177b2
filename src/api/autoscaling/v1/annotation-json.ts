/**
 * What stands in the annotations of a version 1 autoscaler was written by servers, but can be written by anyone. It is read the
 * way servers read it: letter case of keys does not count, and a text in which anything is of the wrong type counts as none.
 */
import type { JsonObject, JsonValue } from '../../../schema/declaration.js'
import { isList, isObject } from '../../../schema/json-value.js'
import { ValueError } from '../../../schema/value-error.js'
import { canonicalQuantity } from '../../../schema/values/quantity.js'

/** What `read` makes of the text; undefined if it is absent, null, or not what it should be. */
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

/** Characters that mean something in HTML are escaped, as in every JSON that servers write. */
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
