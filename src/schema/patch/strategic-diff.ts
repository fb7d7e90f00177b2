import type { JsonObject, JsonValue } from '../declaration.js'
import { isList, isObject, type JsonList, memberOf, sameJson } from '../json-value.js'
import type { LinkedType, ObjectType } from '../model.js'
import { compareText } from '../text-order.js'
import { limitDepth } from './depth.js'
import { diffLists } from './diff-list.js'
import { deletionPrefix, elementOrderPrefix, patchDirective, retainKeysDirective } from './directives.js'
import { isOpaque, listPatchMetadata, objectPatchMetadata } from './patch-metadata.js'

/** The aspects that a strategic diff compares. All by default. */
export interface StrategicDiffOptions {
  /** Added and changed members. */
  readonly changes?: boolean
  /** Removed members. */
  readonly deletions?: boolean
  /** The order of merging lists: `$setElementOrder`. */
  readonly order?: boolean
}

export type DiffAspects = Required<StrategicDiffOptions>

/** Returns the strategic merge patch that changes `original` into `modified`, both objects of `type`. */
export function diffStrategicPatch(
  type: ObjectType,
  original: JsonObject,
  modified: JsonObject,
  options: StrategicDiffOptions = {},
): JsonObject {
  limitDepth(original)
  limitDepth(modified)
  const what = { changes: true, deletions: true, order: true, ...options }
  return diffObjects(original, modified, { type: { is: 'object', object: type }, what, retainsKeys: false })
}

interface Diffing {
  readonly type: LinkedType
  readonly what: DiffAspects
  readonly retainsKeys: boolean
}

type Patch = Map<string, JsonValue>

function diffObjects(original: JsonObject, modified: JsonObject, diffing: Diffing): JsonObject {
  const patch: Patch = new Map()
  for (const [key, value] of Object.entries(modified)) diffMember(patch, key, [memberOf(original, key), value], diffing)
  const gone = Object.keys(original).filter((key) => !Object.hasOwn(modified, key))
  if (diffing.what.deletions) for (const key of gone) patch.set(key, null)
  if (diffing.retainsKeys)
    addRetainedKeys(
      patch,
      modified,
      gone.some((key) => original[key] !== null),
    )
  return Object.fromEntries(patch)
}

/** Every patch of the object lists the retained keys, so that an alternative from another client does not remain beside the new one. */
function addRetainedKeys(patch: Patch, modified: JsonObject, isMissingSome: boolean): void {
  const keys = Object.keys(modified).filter((key) => modified[key] !== null)
  if (keys.length > 0 && (patch.size > 0 || isMissingSome)) patch.set(retainKeysDirective, keys.sort(compareText))
}

function diffMember(
  patch: Patch,
  key: string,
  [original, modified]: readonly [JsonValue | undefined, JsonValue],
  diffing: Diffing,
): void {
  if (original === modified) return
  if (isObject(original) && isObject(modified)) diffObjectMember(patch, key, [original, modified], diffing)
  else if (isList(original) && isList(modified)) diffListMember(patch, key, [original, modified], diffing)
  else if (diffing.what.changes) patch.set(key, modified)
}

function diffObjectMember(
  patch: Patch,
  key: string,
  [original, modified]: readonly [JsonObject, JsonObject],
  { type, what }: Diffing,
): void {
  if (sameJson(original, modified)) return
  const metadata = objectPatchMetadata(type, key)
  if (metadata.replaces || isOpaque(metadata.type)) {
    // The members of an opaque value are not declared, so it cannot be merged, and the patch needs a directive.
    const replacement = metadata.replaces ? modified : { ...modified, [patchDirective]: 'replace' }
    if (what.changes) patch.set(key, replacement)
    return
  }
  const change = diffObjects(original, modified, { type: metadata.type, what, retainsKeys: metadata.retainsKeys })
  if (Object.keys(change).length > 0) patch.set(key, change)
}

function diffListMember(
  patch: Patch,
  key: string,
  [original, modified]: readonly [JsonList, JsonList],
  { type, what }: Diffing,
): void {
  if (sameJson(original, modified)) return
  const { merges, mergeKey, ...metadata } = listPatchMetadata(type, key)
  if (!merges) {
    if (what.changes) patch.set(key, modified)
    return
  }
  const diffElement = (before: JsonObject, after: JsonObject) =>
    diffObjects(before, after, { type: metadata.type, what, retainsKeys: metadata.retainsKeys })
  const { changes, deletions, order } = diffLists(original, modified, { mergeKey, what, diffElement })
  if (changes.length > 0) patch.set(key, changes)
  if (deletions.length > 0) patch.set(`${deletionPrefix}/${key}`, deletions)
  if (order.length > 0) patch.set(`${elementOrderPrefix}/${key}`, order)
}
