import type { JsonObject, JsonValue } from '../declaration.js'
import { goText } from '../go-text.js'
import { type JsonList, sameJson } from '../json-value.js'
import { compareText } from '../text-order.js'
import { patchDirective } from './directives.js'
import { elementKind, mergeKeyOf } from './elements.js'

export interface ListDiff {
  readonly mergeKey: string
  readonly what: { readonly changes: boolean; readonly deletions: boolean; readonly order: boolean }
  readonly diffElement: (original: JsonObject, modified: JsonObject) => JsonObject
}

/** The changes of a merging list in a patch. */
export interface ListChanges {
  /** New and changed elements; for objects also the deleted ones. */
  readonly changes: JsonList
  /** Deleted scalars. */
  readonly deletions: JsonList
  /** All elements in order, if the patch has to specify it. */
  readonly order: JsonList
}

export function diffLists(original: JsonList, modified: JsonList, diff: ListDiff): ListChanges {
  if (original.length === 0) return { changes: diff.what.changes ? modified : [], deletions: [], order: [] }
  return elementKind(original, modified) === 'object'
    ? diffObjectLists(original as readonly JsonObject[], modified as readonly JsonObject[], diff)
    : diffScalarLists(original, modified, diff)
}

function diffScalarLists(original: JsonList, modified: JsonList, { what }: ListDiff): ListChanges {
  const before = new Set(original)
  const after = new Set(modified)
  const changes = what.changes ? [...after].filter((element) => !before.has(element)) : []
  const deletions = what.deletions ? [...before].filter((element) => !after.has(element)).sort(compareElements) : []
  const isOrderNeeded = what.order && (deletions.length > 0 || (what.changes && !sameJson(original, modified)))
  return { changes, deletions, order: isOrderNeeded ? modified : [] }
}

type Objects = readonly JsonObject[]

function diffObjectLists(original: Objects, modified: Objects, diff: ListDiff): ListChanges {
  const { mergeKey, what } = diff
  const keys = modified.map((element) => mergeKeyOf(element, mergeKey))
  const pairs = pairUp(original, modified, mergeKey)
  const changed = pairs.flatMap(([before, after]) => changesOf(before, after, diff))
  const deleted = what.deletions ? pairs.flatMap(([before, after]) => deletionOf(before, after, mergeKey)) : []
  const changes = [...inOrderOf(keys, changed, mergeKey), ...deleted]
  const sameKeys = sameJson(
    original.map((element) => mergeKeyOf(element, mergeKey)),
    keys,
  )
  const isOrderNeeded = what.order && (changes.length > 0 || (what.changes && !sameKeys))
  return { changes, deletions: [], order: isOrderNeeded ? keys.map((key) => ({ [mergeKey]: key })) : [] }
}

type Pair = readonly [before: JsonObject | undefined, after: JsonObject | undefined]

/** Pairs elements by key, in the order of keys. Several elements with the same key are paired in order. */
function pairUp(original: Objects, modified: Objects, mergeKey: string): readonly Pair[] {
  const before = sortedByKey(original, mergeKey)
  const after = sortedByKey(modified, mergeKey)
  const pairs: Pair[] = []
  for (let i = 0, j = 0; i < before.length || j < after.length; ) {
    const order = compareKeys(before[i], after[j])
    pairs.push([order <= 0 ? before[i++]?.element : undefined, order >= 0 ? after[j++]?.element : undefined])
  }
  return pairs
}

interface Keyed {
  readonly key: string
  readonly element: JsonObject
}

function sortedByKey(list: Objects, mergeKey: string): readonly Keyed[] {
  const keyed = list.map((element) => ({ key: goText(mergeKeyOf(element, mergeKey)), element }))
  return keyed.sort((left, right) => compareText(left.key, right.key))
}

/** Undefined comes last. */
function compareKeys(left: Keyed | undefined, right: Keyed | undefined): number {
  if (!left || !right) return left ? -1 : 1
  return compareText(left.key, right.key)
}

function changesOf(before: Pair[0], after: Pair[1], { mergeKey, what, diffElement }: ListDiff): Objects {
  if (!after) return []
  if (!before) return what.changes ? [after] : []
  const change = diffElement(before, after)
  return Object.keys(change).length > 0 ? [{ ...change, [mergeKey]: after[mergeKey]! }] : []
}

function deletionOf(before: Pair[0], after: Pair[1], mergeKey: string): Objects {
  return before && !after ? [{ [mergeKey]: before[mergeKey]!, [patchDirective]: 'delete' }] : []
}

function inOrderOf(keys: JsonList, elements: Objects, mergeKey: string): Objects {
  const ranks = new Map<JsonValue, number>()
  for (const [index, key] of keys.entries()) if (!ranks.has(key)) ranks.set(key, index)
  return [...elements].sort((left, right) => ranks.get(left[mergeKey]!)! - ranks.get(right[mergeKey]!)!)
}

function compareElements(left: JsonValue, right: JsonValue): number {
  return compareText(goText(left), goText(right))
}
