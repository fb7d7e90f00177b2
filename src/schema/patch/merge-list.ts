import type { JsonObject, JsonValue } from '../declaration.js'
import { goStringText, goText } from '../go-text.js'
import { type JsonList, memberOf, shared } from '../json-value.js'
import { patchDirective } from './directives.js'
import { arrange } from './element-order.js'
import { elementKind, mergeKeyOf, missingMergeKey, unmergeable } from './elements.js'

export interface ListMerge {
  readonly mergeKey: string
  /** The kind of the elements' type, for errors. */
  readonly elementType: string
  readonly mergeElement: (original: JsonObject, patch: JsonObject) => JsonObject
}

/** Merges a patch into a list of scalars, or of objects with a merge key. */
export function mergeLists(original: JsonList, patch: JsonList, merge: ListMerge): JsonList {
  if (original.length === 0 && patch.length === 0) return original
  const merged = elementKind(original, patch) === 'object' ? mergeObjectLists : mergeScalarLists
  return shared(original, merged(original, patch, merge))
}

function mergeScalarLists(original: JsonList, patch: JsonList, { mergeKey }: ListMerge): JsonList {
  return arrange([...new Set([...original, ...patch])], { wanted: patch, live: original, mergeKey })
}

/** The list without the elements that a `$deleteFromPrimitiveList` names. */
export function deleteFromList(original: JsonList, deletions: JsonList): JsonList {
  const gone = new Set(deletions)
  return shared(
    original,
    original.filter((element) => !gone.has(element)),
  )
}

function mergeObjectLists(original: JsonList, patch: JsonList, merge: ListMerge): JsonList {
  const { mergeKey } = merge
  if (mergeKey === '') throw unmergeable(`cannot merge lists without merge key for ${merge.elementType}`)
  const { live, wanted } = followDirectives(original as readonly JsonObject[], patch as readonly JsonObject[], mergeKey)
  return arrange(mergeByKey(live, wanted, merge), { wanted, live, mergeKey })
}

interface ListsToMerge {
  readonly live: readonly JsonObject[]
  readonly wanted: readonly JsonObject[]
}

/** Executes elements with `$patch`: they delete others from the list, or make the rest of the patch replace it. */
function followDirectives(
  original: ListsToMerge['live'],
  patch: ListsToMerge['wanted'],
  mergeKey: string,
): ListsToMerge {
  const plain = patch.filter((element) => !Object.hasOwn(element, patchDirective))
  if (plain.length === patch.length) return { live: original, wanted: patch }
  const deleted = new Set<JsonValue>()
  let replaces = false
  for (const element of patch) {
    if (!Object.hasOwn(element, patchDirective)) continue
    if (directiveOf(element) === 'replace') replaces = true
    else deleted.add(mergeKeyOf(element, mergeKey))
  }
  if (replaces) return { live: plain, wanted: [] }
  return { live: original.filter((element) => !deleted.has(memberOf(element, mergeKey)!)), wanted: plain }
}

function directiveOf(element: JsonObject): 'replace' | 'delete' {
  const directive = element[patchDirective]!
  if (directive === 'replace' || directive === 'delete') return directive
  if (directive === 'merge') throw unmergeable('merging lists cannot yet be specified in the patch')
  throw unmergeable(`unknown patch type: ${goStringText(directive)} in map: ${goText(element)}`)
}

/** Appends new elements. The caller decides the final order. */
function mergeByKey(live: ListsToMerge['live'], wanted: ListsToMerge['wanted'], merge: ListMerge): JsonList {
  const result = [...live]
  const positions = new Map<JsonValue | undefined, number>()
  for (const [position, element] of live.entries()) {
    const key = memberOf(element, merge.mergeKey)
    if (!positions.has(key)) positions.set(key, position)
  }
  for (const element of wanted) {
    const key = memberOf(element, merge.mergeKey)
    if (key === undefined) throw missingMergeKey(element, merge.mergeKey)
    const position = positions.get(key)
    if (position === undefined) positions.set(key, result.push(element) - 1)
    else result[position] = merge.mergeElement(result[position]!, element)
  }
  return result
}
