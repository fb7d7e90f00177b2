import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, shared } from '../json-value.js'
import { ObjectDraft } from './object-draft.js'
import { PatchError } from './patch-error.js'

/** Members of a strategic merge patch that are not data but say what to do. */

/** On an object or on an element of a list: `replace`, `delete` or `merge`. */
export const patchDirective = '$patch'

/** On an object: the members that it may have afterwards. */
export const retainKeysDirective = '$retainKeys'

/** `$setElementOrder/<list>`: the order of a list's elements. */
export const elementOrderPrefix = '$setElementOrder'

/** `$deleteFromPrimitiveList/<list>`: elements to take out of a list of scalars. */
export const deletionPrefix = '$deleteFromPrimitiveList'

/** Which list a directive is about. */
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
 * What a patch adds where nothing was: objects that carry `$patch` are not data and disappear, at any depth. Undefined if nothing
 * remains of it.
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
