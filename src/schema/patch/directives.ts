import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, shared } from '../json-value.js'
import { ObjectDraft } from './object-draft.js'
import { PatchError } from './patch-error.js'

/** Directives: members of a strategic merge patch that are instructions, not data. */

/** On an object or on an element of a list: `replace`, `delete` or `merge`. */
export const patchDirective = '$patch'

/** On an object: the members that it may have afterwards. */
export const retainKeysDirective = '$retainKeys'

/** `$setElementOrder/<list>`: the order of a list's elements. */
export const elementOrderPrefix = '$setElementOrder'

/** `$deleteFromPrimitiveList/<list>`: elements to remove from a list of scalars. */
export const deletionPrefix = '$deleteFromPrimitiveList'

/** The name of the list in the key of a directive. */
export function listNamedBy(key: string, prefix: typeof elementOrderPrefix | typeof deletionPrefix): string {
  const slash = key.indexOf('/')
  if (slash >= 0 && key.slice(0, slash) === prefix) return key.slice(slash + 1)
  throw prefix === elementOrderPrefix
    ? malformedOrder()
    : new PatchError('malformed', 'invalid patch format of primitive list')
}

export function malformedOrder(): PatchError {
  return new PatchError('malformed', 'invalid patch format of setElementOrder list')
}

export function isDeletion(element: JsonValue): boolean {
  return isObject(element) && element[patchDirective] === 'delete'
}

/**
 * Removes objects with `$patch`, at any depth, from a value that a patch adds. Undefined if nothing remains.
 */
export function withoutDirectives(value: JsonValue): JsonValue | undefined {
  if (isList(value)) return listWithoutDirectives(value)
  return isObject(value) ? objectWithoutDirectives(value) : value
}

export function listWithoutDirectives(list: JsonList): JsonList {
  return shared(
    list,
    list.map(withoutDirectives).filter((element) => element !== undefined),
  )
}

function objectWithoutDirectives(object: JsonObject): JsonObject | undefined {
  if (Object.hasOwn(object, patchDirective)) return undefined
  const draft = new ObjectDraft(object)
  for (const [key, value] of Object.entries(object)) {
    const kept = withoutDirectives(value)
    if (kept === undefined) draft.delete(key)
    else draft.set(key, kept)
  }
  return draft.finish()
}
