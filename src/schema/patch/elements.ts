import type { JsonObject, JsonValue } from '../declaration.js'
import { goText, goTypeOf } from '../go-text.js'
import { isList, isObject, type JsonList } from '../json-value.js'
import { PatchError } from './patch-error.js'

/** The elements of a merging list: all objects, identified by a member, or all scalars of one type. */
export type ElementKind = 'object' | 'scalar'

export function elementKind(...lists: readonly JsonList[]): ElementKind {
  const elements = lists.flat() as JsonList
  const [first] = elements
  if (first === undefined) throw unmergeable('no elements in any of the given slices')
  if (isList(first)) throw new PatchError('inapplicable', 'lists of lists are not supported')
  const type = goTypeOf(first)
  if (first === null || elements.some((element) => goTypeOf(element) !== type))
    throw unmergeable(`list element types are not identical: ${goText(lists)}`)
  return isObject(first) ? 'object' : 'scalar'
}

/** The identity of an element in its list: its merge key, or the scalar itself. */
export function elementIdentity(element: JsonValue, mergeKey: string): JsonValue {
  return mergeKey === '' && !isObject(element) ? element : mergeKeyOf(element, mergeKey)
}

export function mergeKeyOf(element: JsonValue, mergeKey: string): JsonValue {
  if (!isObject(element)) throw wrongType({}, element)
  if (!Object.hasOwn(element, mergeKey)) throw missingMergeKey(element, mergeKey)
  return element[mergeKey]!
}

export function missingMergeKey(element: JsonObject, mergeKey: string): PatchError {
  return unmergeable(`map: ${goText(element)} does not contain declared merge key: ${mergeKey}`)
}

export function wrongType(expected: JsonValue, actual: JsonValue): PatchError {
  return unmergeable(`expected a ${goTypeOf(expected)}, but received a ${goTypeOf(actual)}`)
}

export function unmergeable(message: string): PatchError {
  return new PatchError('unmergeable', message)
}
