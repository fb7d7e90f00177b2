import type { Element } from './element.js'
import { type DraftSet, type FieldSet, leaf, self } from './field-set.js'

/**
 * Builds field sets so that equal ones are the same object: a thousand pods of one template have one set of fields, which is
 * made once. Most of the building is walking along steps that someone has gone before.
 *
 *     const set = emptyBranch().with('f:image', leaf).with('f:name', leaf).set
 */
export class PooledBranch {
  readonly #before: PooledBranch | undefined
  readonly #element: Element
  readonly #branch: FieldSet
  #set: FieldSet | undefined
  /** The step that was taken first is nearly always the one that is taken again. */
  #next: PooledBranch | undefined
  #others: Map<FieldSet, Map<Element, PooledBranch>> | undefined

  constructor(before?: PooledBranch, element: Element = self, branch: FieldSet = leaf) {
    this.#before = before
    this.#element = element
    this.#branch = branch
  }

  /** Elements must be added in order. */
  with(element: Element, branch: FieldSet): PooledBranch {
    const next = this.#next
    if (next && next.#branch === branch && next.#element === element) return next
    return this.#known(element, branch) ?? this.#add(element, branch)
  }

  #known(element: Element, branch: FieldSet): PooledBranch | undefined {
    return this.#others?.get(branch)?.get(element)
  }

  #add(element: Element, branch: FieldSet): PooledBranch {
    countStep()
    const step = new PooledBranch(this, element, branch)
    if (this.#next) this.#addOther(step)
    else this.#next = step
    return step
  }

  #addOther(step: PooledBranch): void {
    this.#others ??= new Map()
    const same = this.#others.get(step.#branch)
    if (same) same.set(step.#element, step)
    else this.#others.set(step.#branch, new Map([[step.#element, step]]))
  }

  get isEmpty(): boolean {
    return this.#before === undefined
  }

  get set(): FieldSet {
    this.#set ??= this.#make()
    return this.#set
  }

  #make(): FieldSet {
    const steps: PooledBranch[] = []
    for (let step: PooledBranch | undefined = this; step.#before; step = step.#before) steps.push(step)
    if (steps.length === 0 || (steps.length === 1 && this.#element === self)) return leaf
    const set: DraftSet = {}
    for (const step of steps.reverse()) set[step.#element] = step.#branch
    return set
  }
}

/** Names are anybody's to choose, so the pool is emptied when it has grown this far; sets that are in use stay what they are. */
const maximumSteps = 10_000

let steps = 0
let root = new PooledBranch()
let marked = root.with(self, leaf)

function countStep(): void {
  if (++steps <= maximumSteps) return
  steps = 0
  root = new PooledBranch()
  marked = root.with(self, leaf)
}

/** Nothing yet. */
export function emptyBranch(): PooledBranch {
  return root
}

/** The field at the root of the branch, and nothing below yet. */
export function markedBranch(): PooledBranch {
  return marked
}
