import type { JsonObject, JsonValue } from '../declaration.js'
import { memberOf, setMember } from '../json-value.js'

/** A modified copy of an object. The original is never modified, and is the result if nothing changed. */
export class ObjectDraft {
  readonly #base: JsonObject
  #copy: Record<string, JsonValue> | undefined

  constructor(base: JsonObject) {
    this.#base = base
  }

  get(key: string): JsonValue | undefined {
    return memberOf(this.#copy ?? this.#base, key)
  }

  keys(): readonly string[] {
    return Object.keys(this.#copy ?? this.#base)
  }

  set(key: string, value: JsonValue): void {
    if (this.get(key) !== value) setMember(this.#own(), key, value)
  }

  delete(key: string): void {
    if (this.get(key) !== undefined) delete this.#own()[key]
  }

  finish(): JsonObject {
    return this.#copy ?? this.#base
  }

  #own(): Record<string, JsonValue> {
    this.#copy ??= { ...this.#base }
    return this.#copy
  }
}
