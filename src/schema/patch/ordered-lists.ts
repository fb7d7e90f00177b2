import type { JsonValue } from '../declaration.js'
import { goText } from '../go-text.js'
import { isList, isObject, type JsonList, sameJson, shared } from '../json-value.js'
import { elementOrderPrefix, listNamedBy, listWithoutDirectives, malformedOrder, patchDirective } from './directives.js'
import { arrange } from './element-order.js'
import { elementIdentity, elementKind, unmergeable, wrongType } from './elements.js'
import type { MergeContext } from './merge-context.js'
import { listPatchMetadata } from './patch-metadata.js'

/** Merges the lists for which the patch has `$setElementOrder/<list>`, and removes them from the pending members. */
export function mergeOrderedLists(merging: MergeContext): void {
  for (const [key, order] of [...merging.pending]) {
    if (!key.startsWith(elementOrderPrefix)) continue
    if (merging.mode === 'combine') keepForLater(merging, key, order)
    merging.pending.delete(key)
    if (!isList(order)) throw wrongType([], order)
    mergeOrderedList(merging, listNamedBy(key, elementOrderPrefix), order)
  }
}

function keepForLater({ draft }: MergeContext, key: string, order: JsonValue): void {
  const known = draft.get(key)
  if (known === undefined) draft.set(key, order)
  else if (!sameJson(known, order)) throw malformedOrder()
}

function mergeOrderedList(merging: MergeContext, name: string, order: JsonList): void {
  const original = listIn(merging.draft.get(name))
  const patch = listIn(merging.pending.get(name))
  const metadata = listPatchMetadata(merging.type, name)
  checkOrder(patch ?? [], order, metadata.mergeKey)
  const merged = original && patch ? merging.mergeList(original, patch, metadata) : (original ?? added(patch))
  if (!merged) return
  elementKind(original ?? [], patch ?? []) // throws for lists that cannot be sorted
  const arranged = arrange(merged, { wanted: order, live: original ?? [], mergeKey: metadata.mergeKey })
  merging.draft.set(name, shared(original, arranged))
  merging.pending.delete(name)
}

function added(patch: JsonList | undefined): JsonList | undefined {
  return patch && listWithoutDirectives(patch)
}

function listIn(value: JsonValue | undefined): JsonList | undefined {
  if (value === undefined || isList(value)) return value
  throw wrongType([], value)
}

/** The elements of the patch must be a subsequence of its `$setElementOrder`. */
function checkOrder(patch: JsonList, order: JsonList, mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return
  const elements = patch.filter((element) => !hasDirective(element))
  let next = 0
  for (const entry of order) {
    if (next === elements.length) return
    if (elementIdentity(elements[next]!, mergeKey) === elementIdentity(entry, mergeKey)) next++
  }
  if (next < elements.length)
    throw unmergeable(
      `The order in patch list:\n${goText(patch)}\n doesn't match ${elementOrderPrefix} list:\n${goText(order)}\n`,
    )
}

function hasDirective(element: JsonValue): boolean {
  return isObject(element) && Object.hasOwn(element, patchDirective)
}
