import { type DraftSet, type FieldSet, hasBelow, leaf, self } from '../field-set/field-set.js'
import { isAtomic, type ValueShape } from './shape.js'
import { shapeBelow } from './shaped-sets.js'

/** The shape that a set was last seen to fit: those of stored objects are looked through once, not with every write. */
const fitting = new WeakMap<FieldSet, ValueShape>()

/**
 * `set` as it is under the present shape of the type: whoever owned parts of what has one owner now owns the whole of it. The
 * same set for one that fits, which nearly all do.
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
