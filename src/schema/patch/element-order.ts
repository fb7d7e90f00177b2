import type { JsonValue } from '../declaration.js'
import type { JsonList } from '../json-value.js'
import { isDeletion } from './directives.js'
import { elementIdentity } from './elements.js'

export interface ElementOrder {
  /** The requested order of the elements that it names. */
  readonly wanted: JsonList
  /** The order in the patched object. Elements that `wanted` does not name keep this order, and their positions between the others. */
  readonly live: JsonList
  readonly mergeKey: string
}

/** Sorts the elements of a merged list as upstream does. */
export function arrange(elements: JsonList, { wanted, live, mergeKey }: ElementOrder): JsonList {
  const identity = (element: JsonValue) => elementIdentity(element, mergeKey)
  const wantedRank = ranks(wanted.map(identity))
  const liveRank = ranks(live.map(identity))
  const known = elements.filter((element) => wantedRank.has(identity(element)))
  const others = elements.filter((element) => !wantedRank.has(identity(element)))
  const rankIn = (rank: ReadonlyMap<JsonValue, number>) => (element: JsonValue) => rank.get(identity(element))
  return interleave(sortByRank(others, rankIn(liveRank)), sortByRank(known, rankIn(wantedRank)), rankIn(liveRank))
}

type Rank = (element: JsonValue) => number | undefined

/** The first index of each identity. */
function ranks(identities: JsonList): ReadonlyMap<JsonValue, number> {
  const rank = new Map<JsonValue, number>()
  for (const [index, identity] of identities.entries()) if (!rank.has(identity)) rank.set(identity, index)
  return rank
}

/** Sorts by rank. Deletions in a combined patch come last, whatever their rank. */
export function sortByRank(elements: JsonList, rank: Rank): JsonList {
  const kept = elements.filter((element) => !isDeletion(element))
  return [...sortKept(kept, rank), ...elements.filter(isDeletion)]
}

/**
 * Elements without a rank occur only if an empty order was requested. They end up in reverse, those before the first ranked one at the
 * end, the others at the start. This is not useful, but it is what upstream does.
 */
function sortKept(elements: JsonList, rank: Rank): JsonList {
  const isRanked = (element: JsonValue) => rank(element) !== undefined
  const ranked = elements.filter(isRanked).sort((left, right) => rank(left)! - rank(right)!)
  if (ranked.length === elements.length) return ranked
  const firstRanked = elements.findIndex(isRanked)
  const early = elements.slice(0, firstRanked < 0 ? elements.length : firstRanked)
  const late = elements.slice(early.length).filter((element) => !isRanked(element))
  return [...late.reverse(), ...ranked, ...early.reverse()]
}

/** Merges two lists and keeps the order of each. An element precedes one of the other list only if it did so in the live list. */
function interleave(others: JsonList, known: JsonList, liveRank: Rank): JsonList {
  const result: JsonValue[] = []
  let next = 0
  for (const element of known) {
    while (next < others.length && isBefore(liveRank(others[next]!), liveRank(element))) result.push(others[next++]!)
    result.push(element)
  }
  return [...result, ...others.slice(next)]
}

function isBefore(left: number | undefined, right: number | undefined): boolean {
  return left !== undefined && right !== undefined && left < right
}
