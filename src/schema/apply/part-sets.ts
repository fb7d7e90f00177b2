import { compareText } from '../text-order.js'
import { compareElements, fieldElement } from './element.js'
import { type DraftSet, type FieldSet, leaf, self } from './field-set.js'
import { type Part, type PooledBranch, SetPool } from './set-pool.js'
import type { Shape } from './shape.js'

/** A set of parts of a value: members are added by their names, items by their elements, in any order. */
export type PartSet = PooledBranch<FieldSet>

const below = new SetPool((parts, shape: Shape) => withParts({}, parts, shape))
const whole = new SetPool((parts, shape: Shape) => withParts({ [self]: leaf }, parts, shape))

/** No part of a value of this shape yet. */
export function noParts(shape: Shape): PartSet {
  return below.start(shape)
}

/** The value itself, and no part of it yet. */
export function itself(shape: Shape): PartSet {
  return whole.start(shape)
}

function withParts(set: DraftSet, parts: readonly Part[], { is }: Shape): FieldSet {
  if (parts.length === 0) return leaf
  if (is === 'list') for (const { name, branch } of inOrder(parts, compareElements)) set[name] = branch
  else for (const { name, branch } of inOrder(parts, compareText)) set[fieldElement(name)] = branch
  return set
}

/** Mostly they are already. */
function inOrder(parts: readonly Part[], compare: (a: string, b: string) => number): readonly Part[] {
  for (let i = 1; i < parts.length; i++)
    if (compare(parts[i - 1]!.name, parts[i]!.name) > 0) return parts.toSorted((a, b) => compare(a.name, b.name))
  return parts
}
