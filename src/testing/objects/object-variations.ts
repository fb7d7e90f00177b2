import * as fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'

/** Objects that differ from a given one in a few parts: some are left out, elements of lists stand there twice. */
export function arbitraryVariation(object: JsonObject): fc.Arbitrary<JsonObject> {
  const edits = fc.array(fc.record({ place: fc.nat(), twice: fc.boolean() }), { maxLength: 3 })
  return edits.map((chosen) => chosen.reduce<JsonObject>(edited, object))
}

interface Edit {
  /** Counted from the first part of the object, around and around. */
  readonly place: number
  readonly twice: boolean
}

function edited(object: JsonObject, { place, twice }: Edit): JsonObject {
  const draft = structuredClone(object) as JsonObject
  const parts = partsOf(draft)
  if (parts.length === 0) return draft
  const { container, key } = parts[place % parts.length]!
  if (!Array.isArray(container)) delete (container as Record<string, JsonValue>)[key]
  else if (twice) container.push(structuredClone(container[Number(key)]))
  else container.splice(Number(key), 1)
  return draft
}

interface Part {
  readonly container: JsonValue
  readonly key: string
}

/** Every member and element, however deep, but for what says of which kind the object is. */
function partsOf(value: JsonValue): readonly Part[] {
  if (!Array.isArray(value) && !isObject(value)) return []
  return Object.entries(value)
    .filter(([key]) => key !== 'apiVersion' && key !== 'kind')
    .flatMap(([key, member]) => [{ container: value, key }, ...partsOf(member)])
}
