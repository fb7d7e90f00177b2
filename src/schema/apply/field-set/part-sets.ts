import { compareText } from '../../text-order.js'
import type { ValueShape } from '../shape/shape.js'
import { type DraftSet, type FieldSet, leaf, self } from './field-set.js'
import { compareElements, fieldElement } from './path-element.js'
import { type PooledBranch, type SetPart, SetPool } from './set-pool.js'

/** A set of parts of a value under construction: members are added by name, items by path element, in any order. */
export type PartSet = PooledBranch<FieldSet>

const below = new SetPool((parts, shape: ValueShape) => withParts({}, parts, shape))
const whole = new SetPool((parts, shape: ValueShape) => withParts({ [self]: leaf }, parts, shape))

/** An empty set for a value of this shape. */
export function emptyPartSet(shape: ValueShape): PartSet {
  return below.start(shape)
}

/** A set that contains the value itself and none of its parts. */
export function wholePartSet(shape: ValueShape): PartSet {
  return whole.start(shape)
}

function withParts(set: DraftSet, parts: readonly SetPart[], { is }: ValueShape): FieldSet {
  if (parts.length === 0) return leaf
  if (is === 'list') for (const { name, branch } of inOrder(parts, compareElements)) set[name] = branch
  else for (const { name, branch } of inOrder(parts, compareText)) set[fieldElement(name)] = branch
  return set
}

/** Sorts the parts, unless they are in order, as they mostly are. */
function inOrder(parts: readonly SetPart[], compare: (a: string, b: string) => number): readonly SetPart[] {
  for (let i = 1; i < parts.length; i++)
    if (compare(parts[i - 1]!.name, parts[i]!.name) > 0) return parts.toSorted((a, b) => compare(a.name, b.name))
  return parts
}
