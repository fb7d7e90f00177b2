import { type DraftSet, type FieldSet, hasBelow, leaf, self, withSelf } from '../field-set/field-set.js'
import { isAtomic, memberShape, type StructShape, type ValueShape } from './shape.js'

/**
 * Adds the declared fields that lead to members of `set` as members. Map keys and list items are not added: they exist on their own,
 * while a declared field exists because of its contents.
 */
export function withNamedFields(shape: StructShape, set: FieldSet): FieldSet {
  return named(shape, set)
}

function named(shape: ValueShape | undefined, set: FieldSet): FieldSet {
  const result: DraftSet = {}
  let changed = false
  for (const element in set) {
    const branch = set[element]!
    const after = element === self ? branch : namedBranch(shape, element, branch)
    if (after !== branch) changed = true
    result[element] = after
  }
  return changed ? result : set
}

function namedBranch(shape: ValueShape | undefined, element: string, branch: FieldSet): FieldSet {
  const below = named(shape && shapeBelow(shape, element), branch)
  return shape?.is === 'struct' && isDeclared(shape, element) ? withSelf(below) : below
}

function isDeclared(struct: StructShape, element: string): boolean {
  return element.startsWith('f:') && struct.field.has(element.slice(2))
}

/** The shape of the part at `element`; undefined if it is unknown. */
export function shapeBelow(shape: ValueShape, element: string): ValueShape | undefined {
  if (element.startsWith('f:')) return memberShape(shape, element.slice(2))
  return shape.is === 'list' && element.startsWith('k:') ? shape.of : undefined
}

/** The shape to which a set was last found to fit, so that sets of stored objects are not checked again with every write. */
const fitting = new WeakMap<FieldSet, ValueShape>()

/**
 * Adjusts `set` to the current shape of the type: parts of a value that is now atomic become the whole value. Returns `set` itself if it
 * fits, as nearly all do.
 */
export function fitToShape(shape: ValueShape, set: FieldSet): FieldSet {
  if (fitting.get(set) === shape) return set
  const fitted = fitBelow(shape, set)
  fitting.set(fitted, shape)
  return fitted
}

function fitBelow(shape: ValueShape, set: FieldSet): FieldSet {
  let draft: DraftSet | undefined
  for (const element in set) {
    const branch = set[element]!
    const below = element === self ? undefined : shapeBelow(shape, element)
    const fitted = below ? fitBranch(below, branch) : branch
    if (fitted === branch) continue
    draft ??= { ...set }
    draft[element] = fitted
  }
  return draft ?? set
}

function fitBranch(shape: ValueShape, branch: FieldSet): FieldSet {
  if (!hasBelow(branch)) return branch
  return shape.is !== 'scalar' && isAtomic(shape) ? leaf : fitBelow(shape, branch)
}
