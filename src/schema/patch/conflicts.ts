import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, memberOf, sameJson } from '../json-value.js'
import type { LinkedType, ObjectType } from '../model.js'
import { deletionPrefix, elementOrderPrefix, patchDirective, retainKeysDirective } from './directives.js'
import { mergeKeyOf } from './elements.js'
import { isOpaque, listPatchMetadata, objectPatchMetadata } from './patch-metadata.js'

/** Whether two strategic merge patches for objects of `type` set the same field to different values. */
export function strategicPatchesConflict(type: ObjectType, left: JsonObject, right: JsonObject): boolean {
  return objectsConflict(left, right, { is: 'object', object: type })
}

function objectsConflict(left: JsonObject, right: JsonObject, type: LinkedType): boolean {
  // `$patch` is about the whole object, so it goes with nothing but itself.
  if (memberOf(left, patchDirective) !== memberOf(right, patchDirective)) return true
  return Object.entries(left).some(([key, value]) => {
    const other = memberOf(right, key)
    return other !== undefined && !isDirective(key) && membersConflict(key, [value, other], type)
  })
}

/** Directives about lists and about what to keep follow from the fields, which are looked at anyway. */
function isDirective(key: string): boolean {
  return key === retainKeysDirective || key.startsWith(deletionPrefix) || key.startsWith(elementOrderPrefix)
}

function membersConflict(key: string, [left, right]: readonly [JsonValue, JsonValue], type: LinkedType): boolean {
  if (isObject(left) && isObject(right)) {
    const metadata = objectPatchMetadata(type, key)
    if (!metadata.replaces && !isOpaque(metadata.type)) return objectsConflict(left, right, metadata.type)
  }
  if (isList(left) && isList(right)) {
    const metadata = listPatchMetadata(type, key)
    if (metadata.merges) return metadata.mergeKey !== '' && elementsConflict(left, right, metadata)
  }
  return !sameJson(left, right)
}

/** Scalars that merge into a list never conflict; objects do if those with the same key do. */
function elementsConflict(
  left: JsonList,
  right: JsonList,
  { mergeKey, type }: { readonly mergeKey: string; readonly type: LinkedType },
): boolean {
  const others = new Map(right.map((element) => [mergeKeyOf(element, mergeKey), element as JsonObject]))
  return left.some((element) => {
    const other = others.get(mergeKeyOf(element, mergeKey))
    return other !== undefined && objectsConflict(element as JsonObject, other, type)
  })
}
