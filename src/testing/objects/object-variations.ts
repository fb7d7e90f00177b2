import * as fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import { isObject } from '../../schema/json-value.js'

/** Generates objects that differ from a given one in a few indexs: missing members, missing or duplicate list elements. */
export function arbitraryVariation(object: JsonObject): fc.Arbitrary<JsonObject> {
  const edits = fc.array(fc.record({ index: fc.nat(), twice: fc.boolean() }), { maxLength: 3 })
  return edits.map((chosen) => chosen.reduce<JsonObject>(edited, object))
}

interface Edit {
  /** The index of the edited member, modulo the number of members. */
  readonly index: number
  readonly twice: boolean
}

function edited(object: JsonObject, { index, twice }: Edit): JsonObject {
  const draft = structuredClone(object) as JsonObject
  const parts = partsOf(draft)
  if (parts.length === 0) return draft
  const { container, key } = parts[index % parts.length]!
  if (!Array.isArray(container)) delete (container as Record<string, JsonValue>)[key]
  else if (twice) container.push(structuredClone(container[Number(key)]))
  else container.splice(Number(key), 1)
  return draft
}

interface Part {
  readonly container: JsonValue
  readonly key: string
}

/** Returns every member and element at any depth, except `apiVersion` and `kind`. */
function partsOf(value: JsonValue): readonly Part[] {
  if (!Array.isArray(value) && !isObject(value)) return []
  return Object.entries(value)
    .filter(([key]) => key !== 'apiVersion' && key !== 'kind')
    .flatMap(([key, member]) => [{ container: value, key }, ...partsOf(member)])
}
