import { type DraftSet, type ElementPath, type FieldSet, isEmptySet, isMember, leaf, self, setOf } from './field-set.js'
import type { PathElement } from './path-element.js'
import { recursiveDifference } from './set-algebra.js'

/** Removes fields that a write cannot change and that are therefore not tracked, such as the status in a write of the spec. */
export type FieldFilter = (set: FieldSet) => FieldSet

export const allFieldsFilter: FieldFilter = (set) => set

/** Removes these fields and their descendants. */
export function excluding(...paths: readonly ElementPath[]): FieldFilter {
  const excluded = setOf(...paths)
  return (set) => recursiveDifference(set, excluded)
}

/** Matches every element in a pattern of `including`. */
export const anyElement: PathElement = '*'

/** Keeps only fields that match a pattern, with their ancestors and descendants. */
export function including(...patterns: readonly ElementPath[]): FieldFilter {
  return (set) => keep(set, patterns)
}

function keep(set: FieldSet, patterns: readonly ElementPath[]): FieldSet {
  const kept: DraftSet = {}
  for (const element in set) {
    const branch = element === self ? undefined : keepBranch(set[element]!, matching(patterns, element))
    if (branch) kept[element] = branch
  }
  return isEmptySet(kept) ? leaf : kept
}

/** The remainders of the patterns that start with `element`. */
function matching(patterns: readonly ElementPath[], element: PathElement): readonly ElementPath[] {
  return patterns.filter(([first]) => first === element || first === anyElement).map((pattern) => pattern.slice(1))
}

function keepBranch(branch: FieldSet, patterns: readonly ElementPath[]): FieldSet | undefined {
  if (patterns.length === 0) return undefined
  if (patterns.some((pattern) => pattern.length === 0)) return branch
  const below = keep(branch, patterns)
  if (!isMember(branch)) return isEmptySet(below) ? undefined : below
  return isEmptySet(below) ? leaf : { [self]: leaf, ...below }
}
