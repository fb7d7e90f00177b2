import type { JsonObject, JsonValue } from '../declaration.js'
import { goStringText, goText } from '../go-text.js'
import { isList, isObject, sameJson, shared } from '../json-value.js'
import type { LinkedType, ObjectType } from '../model.js'
import { limitDepth } from './depth.js'
import {
  deletionPrefix,
  elementOrderPrefix,
  listNamedBy,
  patchDirective,
  retainKeysDirective,
  withoutDirectives,
} from './directives.js'
import { elementKind, unmergeable } from './elements.js'
import type { MergeContext, MergeMode } from './merge-context.js'
import { deleteFromList, mergeLists } from './merge-list.js'
import { withoutNullMembers } from './null-members.js'
import { ObjectDraft } from './object-draft.js'
import { mergeOrderedLists } from './ordered-lists.js'
import { PatchError } from './patch-error.js'
import { goKind, listPatchMetadata, objectPatchMetadata } from './patch-metadata.js'

/** Applies a strategic merge patch to an object of `type`. */
export function applyStrategicPatch(type: ObjectType, object: JsonObject, patch: JsonObject): JsonObject {
  limitDepth(patch)
  return mergeObjects(object, patch, { is: 'object', object: type }, 'apply')
}

/**
 * Combines two strategic merge patches into one with the effect of both. They must not contradict each other: one should only delete, the
 * other only add and change.
 */
export function combineStrategicPatches(type: ObjectType, first: JsonObject, second: JsonObject): JsonObject {
  limitDepth(second)
  return mergeObjects(first, second, { is: 'object', object: type }, 'combine')
}

function mergeObjects(original: JsonObject, patch: JsonObject, type: LinkedType, mode: MergeMode): JsonObject {
  if (Object.hasOwn(patch, patchDirective)) return mode === 'combine' ? patch : followDirective(patch)
  const merging: MergeContext = {
    draft: new ObjectDraft(original),
    pending: new Map(Object.entries(patch)),
    type,
    mode,
    mergeList: (list, change, metadata) =>
      metadata.merges
        ? mergeLists(list, change, {
            mergeKey: metadata.mergeKey,
            elementType: goKind(metadata.type),
            mergeElement: (element, elementChange) => mergeObjects(element, elementChange, metadata.type, mode),
          })
        : shared(list, change),
  }
  retainKeys(merging)
  mergeOrderedLists(merging)
  for (const [key, value] of merging.pending) mergeMember(merging, key, value)
  return merging.draft.finish()
}

/** Executes `$patch` on an object: the rest of the patch replaces it, or it becomes empty. */
function followDirective(patch: JsonObject): JsonObject {
  const { [patchDirective]: directive, ...rest } = patch
  if (directive === 'replace') return rest
  if (directive === 'delete') return {}
  throw unmergeable(`unknown patch type: ${goStringText(directive!)} in map: ${goText(patch)}`)
}

function mergeMember(merging: MergeContext, key: string, value: JsonValue): void {
  if (!key.startsWith(deletionPrefix)) mergeValue(merging, key, value)
  else if (merging.mode === 'combine') merging.draft.set(key, value)
  else deleteFromField(merging, listNamedBy(key, deletionPrefix), value)
}

function deleteFromField({ draft, type, mergeList }: MergeContext, name: string, deletions: JsonValue): void {
  const list = draft.get(name)
  if (deletions === null) draft.delete(name)
  else if (isList(list) && isList(deletions) && list.length + deletions.length > 0) {
    // The directive works on any list of scalars, merging or not.
    const metadata = { ...listPatchMetadata(type, name), merges: true }
    const isOfScalars = elementKind(list, deletions) === 'scalar'
    draft.set(name, isOfScalars ? deleteFromList(list, deletions) : mergeList(list, deletions, metadata))
  }
}

function mergeValue(merging: MergeContext, key: string, value: JsonValue): void {
  const { draft, type, mode } = merging
  const original = draft.get(key)
  if (value === null && mode === 'apply') draft.delete(key)
  else if (isObject(original) && isObject(value)) {
    const metadata = objectPatchMetadata(type, key)
    draft.set(key, metadata.replaces ? shared(original, value) : mergeObjects(original, value, metadata.type, mode))
  } else if (isList(original) && isList(value)) {
    draft.set(key, merging.mergeList(original, value, listPatchMetadata(type, key)))
  } else if (original !== value) setNew(merging, key, value)
}

/** Sets a member that was absent or had another type. */
function setNew({ draft, mode }: MergeContext, key: string, value: JsonValue): void {
  const added = mode === 'apply' ? withoutDirectives(withoutNullMembers(value)) : value
  if (added === undefined) draft.delete(key)
  else draft.set(key, added)
}

/**
 * Executes `$retainKeys`: removes members that it does not name. Rejects a patch that sets such a member.
 */
function retainKeys(merging: MergeContext): void {
  const directive = merging.pending.get(retainKeysDirective)
  if (directive === undefined) return
  merging.pending.delete(retainKeysDirective)
  if (merging.mode === 'combine') keepForLater(merging, directive)
  else follow(merging, directive)
}

function follow({ draft, pending }: MergeContext, directive: JsonValue): void {
  if (!isList(directive)) throw malformed()
  const retained = new Set(directive)
  for (const [key, value] of pending) if (setsMember(key, value) && !retained.has(key)) throw malformed()
  for (const key of draft.keys()) if (!retained.has(key)) draft.delete(key)
}

function setsMember(key: string, value: JsonValue): boolean {
  return value !== null && !key.startsWith(deletionPrefix) && !key.startsWith(elementOrderPrefix)
}

function keepForLater({ draft }: MergeContext, directive: JsonValue): void {
  const known = draft.get(retainKeysDirective)
  if (known === undefined) draft.set(retainKeysDirective, directive)
  else if (!sameJson(known, directive))
    throw unmergeable(
      `${goText(known)} and ${goText(directive)} are not deep equal: this may happen when calculating the 3-way diff patch`,
    )
}

function malformed(): PatchError {
  return new PatchError('malformed', 'invalid patch format of retainKeys')
}
