import type { JsonObject, JsonValue } from '../declaration.js'
import { memberOf } from './json-value.js'

/** An object under change. The object that it starts from is never touched, and is the result if nothing changed. */
export class ObjectDraft {
  readonly #base: JsonObject
  #members: Map<string, JsonValue> | undefined

  constructor(base: JsonObject) {
    this.#base = base
  }

  get(key: string): JsonValue | undefined {
    return this.#members ? this.#members.get(key) : memberOf(this.#base, key)
  }

  keys(): readonly string[] {
    return this.#members ? [...this.#members.keys()] : Object.keys(this.#base)
  }

  set(key: string, value: JsonValue): void {
    if (this.get(key) !== value) this.#own().set(key, value)
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) this.#own().delete(key)
  }

  finish(): JsonObject {
    return this.#members ? Object.fromEntries(this.#members) : this.#base
  }

  #own(): Map<string, JsonValue> {
    this.#members ??= new Map(Object.entries(this.#base))
    return this.#members
  }
}
