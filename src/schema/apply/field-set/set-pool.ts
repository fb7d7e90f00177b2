import { type FieldSet, leaf } from './field-set.js'

/**
 * Builds sets such that equal sets are the same object: a thousand pods of one template share one set of fields. The pool is a trie of
 * steps, and most builds only follow existing steps.
 *
 *     const set = pool.start(shape).with('name', leaf).with('image', leaf).set
 *
 * Builds with the same key start at the same step, because values of one shape mostly have the same parts in the same order.
 */
export class SetPool<Key, S> {
  readonly #make: (parts: readonly SetPart[], key: Key) => S
  #starts = new Map<Key, PooledBranch<S>>()
  #size = 0

  constructor(make: (parts: readonly SetPart[], key: Key) => S) {
    this.#make = make
  }

  /** Starts with an empty set. */
  start(key: Key): PooledBranch<S> {
    return this.#starts.get(key) ?? this.#add(key)
  }

  #add(key: Key): PooledBranch<S> {
    const start = new PooledBranch<S>({
      make: (parts) => this.#make(parts, key),
      grow: (step) => this.#grow(step),
    })
    this.#starts.set(key, start)
    return start
  }

  #grow({ name }: SetPart): void {
    this.#size += sizeOfStep + name.length
    if (this.#size <= maximumSize) return
    this.#size = 0
    this.#starts = new Map()
  }
}

/** A pool is emptied at this size, because clients choose the names. Sets in use stay valid. */
const maximumSize = 1_000_000

/** The size of a step without its name, in characters. */
const sizeOfStep = 80

/** The part that one step adds. */
export interface SetPart {
  readonly name: string
  readonly branch: FieldSet
}

interface Origin<S> {
  /** Creates the set from all parts, in the order in which they were added. */
  make(parts: readonly SetPart[]): S
  /** Called for every new step. */
  grow(step: SetPart): void
}

/** A set under construction. */
export class PooledBranch<S> implements SetPart {
  readonly name: string
  readonly branch: FieldSet
  readonly #origin: Origin<S>
  readonly #before: PooledBranch<S> | undefined
  #set: S | undefined
  /** The first next step. It is nearly always the one that is needed again. */
  #next: PooledBranch<S> | undefined
  #others: Map<FieldSet, Map<string, PooledBranch<S>>> | undefined

  constructor(origin: Origin<S>, before?: PooledBranch<S>, name = '', branch = leaf) {
    this.name = name
    this.branch = branch
    this.#origin = origin
    this.#before = before
    origin.grow(this)
  }

  /** Adds a branch. Names must be distinct. */
  with(name: string, branch: FieldSet): PooledBranch<S> {
    const next = this.#next
    if (next && next.branch === branch && next.name === name) return next
    return this.#others?.get(branch)?.get(name) ?? this.#add(name, branch)
  }

  #add(name: string, branch: FieldSet): PooledBranch<S> {
    const step = new PooledBranch(this.#origin, this, name, branch)
    if (this.#next) this.#addOther(step)
    else this.#next = step
    return step
  }

  #addOther(step: PooledBranch<S>): void {
    this.#others ??= new Map()
    const same = this.#others.get(step.branch)
    if (same) same.set(step.name, step)
    else this.#others.set(step.branch, new Map([[step.name, step]]))
  }

  /** Whether nothing was added. */
  get isEmpty(): boolean {
    return this.#before === undefined
  }

  get set(): S {
    this.#set ??= this.#origin.make(this.#parts())
    return this.#set
  }

  #parts(): readonly SetPart[] {
    const parts: SetPart[] = []
    for (let step: PooledBranch<S> = this; step.#before; step = step.#before) parts.push(step)
    return parts.reverse()
  }
}
