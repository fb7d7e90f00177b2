import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonContainer, type JsonList, memberOf, sameJson } from '../json-value.js'
import { limitDepth } from './depth.js'
import type { JsonPatchOperation } from './json-patch.js'
import { formatPointer } from './json-pointer.js'

type Segments = readonly string[]

/** Returns operations that change `original` into `modified`. They affect only differences, but may not be the fewest possible. */
export function diffJsonPatch(original: JsonContainer, modified: JsonContainer): readonly JsonPatchOperation[] {
  limitDepth(original)
  limitDepth(modified)
  return [...diffValues(original, modified, [])]
}

function* diffValues(original: JsonValue, modified: JsonValue, at: Segments): Iterable<JsonPatchOperation> {
  if (original === modified) return
  if (isObject(original) && isObject(modified)) yield* diffObjects(original, modified, at)
  else if (isList(original) && isList(modified)) yield* diffLists(original, modified, at)
  else if (!sameJson(original, modified)) yield { op: 'replace', path: formatPointer(at), value: modified }
}

function* diffObjects(original: JsonObject, modified: JsonObject, at: Segments): Iterable<JsonPatchOperation> {
  for (const key of Object.keys(original)) {
    if (!Object.hasOwn(modified, key)) yield { op: 'remove', path: formatPointer([...at, key]) }
  }
  for (const [key, value] of Object.entries(modified)) {
    const before = memberOf(original, key)
    if (before === undefined) yield { op: 'add', path: formatPointer([...at, key]), value }
    else yield* diffValues(before, value, [...at, key])
  }
}

/** Keeps equal elements at both ends. The others are compared by position, then elements are removed or added. */
function* diffLists(original: JsonList, modified: JsonList, at: Segments): Iterable<JsonPatchOperation> {
  const start = countEqual(original, modified, (list, index) => list[index])
  const rest = [original.slice(start), modified.slice(start)] as const
  const end = countEqual(rest[0], rest[1], (list, index) => list.at(-1 - index))
  const before = rest[0].slice(0, rest[0].length - end)
  const after = rest[1].slice(0, rest[1].length - end)
  const both = Math.min(before.length, after.length)
  for (let index = 0; index < both; index++)
    yield* diffValues(before[index]!, after[index]!, [...at, String(start + index)])
  for (let index = before.length; index > both; index--)
    yield { op: 'remove', path: formatPointer([...at, String(start + index - 1)]) }
  for (let index = both; index < after.length; index++)
    yield { op: 'add', path: formatPointer([...at, String(start + index)]), value: after[index]! }
}

type Pick = (list: JsonList, index: number) => JsonValue | undefined

function countEqual(left: JsonList, right: JsonList, pick: Pick): number {
  const length = Math.min(left.length, right.length)
  let count = 0
  while (count < length && sameJson(pick(left, count)!, pick(right, count)!)) count++
  return count
}
