import { type DraftSet, emptySet, type FieldSet, hasBelow, isEmptySet, isMember, leaf, self } from './field-set.js'
import { compareElements } from './path-element.js'

/**
 * Union, intersection and differences of field sets. An operation without effect returns its argument itself, because most writes do not
 * change most owned fields.
 *
 * Below the root an empty branch is a member, at the root it is the empty set; hence two functions for each.
 */

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (isEmptySet(a)) return b
  return isEmptySet(b) ? a : mergeBranches(a, b)
}

function unionOfBranches(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b) return a
  const aIsLeaf = isEmptySet(a)
  if (isEmptySet(b)) return aIsLeaf ? a : mergeBranches(a, { [self]: leaf })
  return aIsLeaf ? mergeBranches({ [self]: leaf }, b) : mergeBranches(a, b)
}

/** Merges two ordered branches in one pass. */
function mergeBranches(a: FieldSet, b: FieldSet): FieldSet {
  if (contains(a, b)) return a
  const left = Object.keys(a)
  const right = Object.keys(b)
  const merged: DraftSet = {}
  let i = 0
  let j = 0
  while (i < left.length || j < right.length) {
    const order = next(left[i], right[j])
    const element = order <= 0 ? left[i]! : right[j]!
    merged[element] = order === 0 ? unionOfBranches(a[element]!, b[element]!) : order < 0 ? a[element]! : b[element]!
    if (order <= 0) i++
    if (order >= 0) j++
  }
  return merged
}

/** Compares two elements; undefined comes last. */
function next(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0
  if (right === undefined) return -1
  return left === undefined ? 1 : compareElements(left, right)
}

/** Whether every member of `b` is a member of `a`. */
export function contains(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  for (const element in b) {
    const within = a[element]
    if (element === self ? !within : !within || !branchContains(within, b[element]!)) return false
  }
  return true
}

function branchContains(a: FieldSet, b: FieldSet): boolean {
  return a === b || (isMember(b) && !isMember(a) ? false : contains(a, b))
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  return (a === b ? a : commonBelow(a, b)) ?? emptySet
}

function commonBranch(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return a
  const below = commonBelow(a, b)
  if (!isMember(a) || !isMember(b)) return below
  return below ? { [self]: leaf, ...below } : leaf
}

function commonBelow(a: FieldSet, b: FieldSet): FieldSet | undefined {
  let common: DraftSet | undefined
  for (const element in b) {
    const branch = element === self ? undefined : a[element]
    const both = branch && commonBranch(branch, b[element]!)
    if (!both) continue
    common ??= {}
    common[element] = both
  }
  return common
}

/** The members of `a` that are not in `b`. Descendants of members of `b` stay. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, branchWithout) ?? emptySet
}

/** The members of `a` that are neither members of `b` nor descendants of one. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, branchWithoutAll) ?? emptySet
}

type Subtract = (a: FieldSet, b: FieldSet) => FieldSet | undefined

function branchWithout(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (a === b) return undefined
  return finish(a, subtract(a, b, branchWithout), isMember(a) && !isMember(b))
}

function branchWithoutAll(a: FieldSet, b: FieldSet): FieldSet | undefined {
  if (isMember(b)) return undefined
  return finish(a, subtract(a, b, branchWithoutAll), isMember(a))
}

/** The branch with the descendants `below`, and its root as a member if `member`. */
function finish(before: FieldSet, below: FieldSet | undefined, member: boolean): FieldSet | undefined {
  if (member === isMember(before) && below === before) return before
  if (!below || !hasBelow(below)) return member ? leaf : undefined
  if (member === (below[self] !== undefined)) return below
  if (member) return { [self]: leaf, ...below }
  const { [self]: _, ...others } = below
  return others
}

/** Subtracts below the root. Returns `a` itself if nothing changes, undefined if nothing is left. */
function subtract(a: FieldSet, b: FieldSet, branchLeft: Subtract): FieldSet | undefined {
  if (!overlap(a, b)) return a
  let changed = false
  const rest: DraftSet = {}
  for (const element in a) {
    const branch = a[element]!
    const other = element === self ? undefined : b[element]
    const left = other ? branchLeft(branch, other) : branch
    if (left !== branch) changed = true
    if (left) rest[element] = left
  }
  if (!changed) return a
  return isEmptySet(rest) ? undefined : rest
}

function overlap(a: FieldSet, b: FieldSet): boolean {
  for (const element in b) if (element !== self && a[element]) return true
  return false
}

/** The members that have no members below them. */
export function leaves(set: FieldSet): FieldSet {
  const result: DraftSet = {}
  for (const element in set) if (element !== self) result[element] = leaves(set[element]!)
  return isEmptySet(result) ? leaf : result
}
