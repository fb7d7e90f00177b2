import { compareElements, fieldElement, type PathElement, printElement } from './path-element.js'

/**
 * A set of fields as a tree of path elements. It is the JSON form (`fieldsV1`) itself, so that reading and writing need no conversion.
 * An element without children is a member of the set; an element with children is a member only if `.` is one of them.
 *
 *     { "f:labels": { ".": {}, "f:app": {} } }     contains .labels and .labels.app
 *     { "f:labels": { "f:app": {} } }              contains .labels.app only
 *
 * Invariant (canonical form): elements are ordered, `.` is first and never alone, and every branch has a member. Sets are immutable,
 * because they share branches with each other and with stored objects.
 */
export type FieldSet = { readonly [element: PathElement]: FieldSet }

/** A set under construction. */
export type DraftSet = Record<PathElement, FieldSet>

/** Marks a field with children as a member. */
export const self = '.'

/** A member without children. At the root, the empty set. */
export const leaf: FieldSet = Object.freeze({})

export const emptySet: FieldSet = leaf

export type ElementPath = readonly PathElement[]

/** The path of a field by names: `namePath('spec', 'replicas')`. */
export function namePath(...names: readonly string[]): ElementPath {
  return names.map(fieldElement)
}

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false
  return true
}

/** Whether the field at the root of this branch is a member. */
export function isMember(branch: FieldSet): boolean {
  return branch[self] !== undefined || isEmptySet(branch)
}

/** Whether this branch has a member below its root. */
export function hasBelow(branch: FieldSet): boolean {
  for (const element in branch) if (element !== self) return true
  return false
}

/** Adds the root of a branch as a member. */
export function withSelf(branch: FieldSet): FieldSet {
  return isMember(branch) ? branch : { [self]: leaf, ...branch }
}

export function has(set: FieldSet, path: ElementPath): boolean {
  let branch: FieldSet | undefined = set
  for (const element of path) {
    branch = branch[element]
    if (!branch) return false
  }
  return path.length > 0 && isMember(branch)
}

/** The set of exactly these paths. */
export function setOf(...paths: readonly ElementPath[]): FieldSet {
  const branches = new Map<PathElement, ElementPath[]>()
  for (const [first, ...rest] of paths) {
    if (first === undefined) continue
    const below = branches.get(first)
    if (below) below.push(rest)
    else branches.set(first, [rest])
  }
  return orderedSet([...branches.keys()], (element) => branchOf(branches.get(element)!))
}

function branchOf(paths: readonly ElementPath[]): FieldSet {
  const below = setOf(...paths)
  return paths.some((path) => path.length === 0) ? withSelf(below) : below
}

/** A set of these elements. Sorts `elements` in place. */
export function orderedSet(elements: PathElement[], branch: (element: PathElement) => FieldSet): FieldSet {
  if (elements.length === 0) return emptySet
  const set: DraftSet = {}
  for (const element of elements.sort(compareElements)) set[element] = branch(element)
  return set
}

/** All members in the order of messages: at each level first the members, then their descendants. */
export function* paths(set: FieldSet, prefix: ElementPath = []): Iterable<ElementPath> {
  for (const element in set) if (element !== self && isMember(set[element]!)) yield [...prefix, element]
  for (const element in set) if (element !== self) yield* paths(set[element]!, [...prefix, element])
}

/** `.spec.containers[name="web"].image` */
export function printPath(path: ElementPath): string {
  return path.map(printElement).join('')
}

export function sameSet(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  const elements = Object.keys(a)
  if (elements.length !== Object.keys(b).length) return false
  return elements.every((element) => b[element] !== undefined && sameSet(a[element]!, b[element]))
}
