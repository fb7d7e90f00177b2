import type { JsonObject, JsonValue } from '../declaration.js'
import { isObject, memberOf, sameJson, shared } from '../json-value.js'
import { limitDepth } from './depth.js'
import { objectWithoutNullMembers, withoutNullMembers } from './null-members.js'
import { ObjectDraft } from './object-draft.js'

/** Applies a merge patch (RFC 7386): objects merge, null removes, anything else replaces. */
export function applyMergePatch(document: JsonValue, patch: JsonValue): JsonValue {
  limitDepth(patch)
  if (!isObject(patch)) return withoutNullMembers(patch)
  return isObject(document) ? mergeObjects(document, patch) : objectWithoutNullMembers(patch)
}

function mergeObjects(document: JsonObject, patch: JsonObject): JsonObject {
  const draft = new ObjectDraft(document)
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) draft.delete(key)
    else draft.set(key, mergeValues(draft.get(key), value))
  }
  return draft.finish()
}

function mergeValues(current: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (isObject(current) && isObject(patch)) return mergeObjects(current, patch)
  return shared(current, withoutNullMembers(patch))
}

/**
 * Returns the merge patch that changes `original` into `modified`. A merge patch cannot express null, so null members of `modified` count
 * as absent.
 */
export function diffMergePatch(original: JsonObject, modified: JsonObject): JsonObject {
  limitDepth(original)
  limitDepth(modified)
  return diffObjects(original, modified)
}

function diffObjects(original: JsonObject, modified: JsonObject): JsonObject {
  const patch = new Map<string, JsonValue>()
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key)) patch.set(key, null)
  for (const [key, value] of Object.entries(modified)) {
    const change = diffValues(memberOf(original, key), value)
    if (change !== undefined) patch.set(key, change)
  }
  return Object.fromEntries(patch)
}

/** The value of a member in the patch, or undefined if it did not change. */
function diffValues(original: JsonValue | undefined, modified: JsonValue): JsonValue | undefined {
  if (original === undefined) return modified
  if (!isObject(original) || !isObject(modified)) return sameJson(original, modified) ? undefined : modified
  const patch = diffObjects(original, modified)
  return Object.keys(patch).length > 0 ? patch : undefined
}

/**
 * Returns the merge patch that `kubectl apply` sends for kinds without patch metadata: the changes from `current` to `modified`, and the
 * removal of members that only `original`, the previously applied configuration, has. Other members of `current` stay.
 */
export function diffMergePatchThreeWay(original: JsonObject, modified: JsonObject, current: JsonObject): JsonObject {
  const changes = onlyChanges(diffMergePatch(current, modified))
  const removals = onlyRemovals(diffMergePatch(original, modified))
  return mergeObjects(removals, changes)
}

/** Removes deletions. An object that becomes empty because of that is removed; one that was empty before is a value and stays. */
function onlyChanges(patch: JsonObject): JsonObject {
  const kept = new Map<string, JsonValue>()
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) continue
    const change = isObject(value) && Object.keys(value).length > 0 ? onlyChanges(value) : value
    if (!isObject(change) || Object.keys(change).length > 0 || change === value) kept.set(key, change)
  }
  return Object.fromEntries(kept)
}

function onlyRemovals(patch: JsonObject): JsonObject {
  const kept = new Map<string, JsonValue>()
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) kept.set(key, null)
    else if (isObject(value)) {
      const removals = onlyRemovals(value)
      if (Object.keys(removals).length > 0) kept.set(key, removals)
    }
  }
  return Object.fromEntries(kept)
}
