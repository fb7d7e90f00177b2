import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, memberOf, sameJson } from '../json-value.js'
import type { LinkedType, ObjectType } from '../model.js'
import { deletionPrefix, elementOrderPrefix, patchDirective, retainKeysDirective } from './directives.js'
import { mergeKeyOf } from './elements.js'
import { PatchError } from './patch-error.js'
import { isOpaque, listPatchMetadata, objectPatchMetadata } from './patch-metadata.js'
import { diffStrategicPatch } from './strategic-diff.js'
import { combineStrategicPatches } from './strategic-patch.js'

/** The three states of an object that `kubectl apply` compares. */
export interface ThreeWay {
  /** The previously applied configuration; empty for the first apply. */
  readonly original: JsonObject
  /** The configuration to apply. */
  readonly modified: JsonObject
  /** The live object, with changes of other clients. */
  readonly current: JsonObject
}

/** Another client has changed fields of the patch since the last apply. */
export class PatchConflict extends PatchError {
  readonly patch: JsonObject
  /** The changes of the other client. */
  readonly changes: JsonObject

  constructor(patch: JsonObject, changes: JsonObject) {
    const texts = [patch, changes].map((value) => JSON.stringify(value))
    super('conflict', `patch:\n${texts[0]}\nconflicts with changes made from original to current:\n${texts[1]}\n`)
    this.patch = patch
    this.changes = changes
  }
}

/**
 * Returns the strategic merge patch for `current` that sets the values of `modified` and removes those that only `original` has. Other
 * values of `current` stay. Without `overwrite`, throws `PatchConflict` if the patch would undo changes of other clients.
 */
export function diffStrategicPatchThreeWay(
  type: ObjectType,
  { original, modified, current }: ThreeWay,
  { overwrite = true }: { readonly overwrite?: boolean } = {},
): JsonObject {
  const changes = diffStrategicPatch(type, current, modified, { deletions: false })
  const deletions = diffStrategicPatch(type, original, modified, { changes: false })
  const patch = combineStrategicPatches(type, deletions, changes)
  if (!overwrite) rejectConflict(type, patch, diffStrategicPatch(type, original, current, { order: false }))
  return patch
}

function rejectConflict(type: ObjectType, patch: JsonObject, changes: JsonObject): void {
  if (strategicPatchesConflict(type, patch, changes)) throw new PatchConflict(patch, changes)
}

/** Whether two strategic merge patches for objects of `type` set the same field to different values. */
function strategicPatchesConflict(type: ObjectType, left: JsonObject, right: JsonObject): boolean {
  return objectsConflict(left, right, { is: 'object', object: type })
}

function objectsConflict(left: JsonObject, right: JsonObject, type: LinkedType): boolean {
  // `$patch` affects the whole object, so it conflicts with anything else.
  if (memberOf(left, patchDirective) !== memberOf(right, patchDirective)) return true
  return Object.entries(left).some(([key, value]) => {
    const other = memberOf(right, key)
    return other !== undefined && !isDirective(key) && membersConflict(key, [value, other], type)
  })
}

/** Directives of lists and `$retainKeys` are skipped, because they follow from the fields, which are compared anyway. */
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

/** Scalars in a merging list never conflict. Objects conflict if two with the same key do. */
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
