import { type FieldSet, leaf } from './field-set.js'

/**
 * Makes sets so that equal ones are the same object: a thousand pods of one template have one set of fields, which is made once.
 * Most of the making is walking along steps that someone has gone before.
 *
 *     const set = pool.start(shape).with('name', leaf).with('image', leaf).set
 *
 * Walks with the same key begin at the same step: things of one kind have mostly the same parts, in the same order.
 */
export class SetPool<Key, S> {
  readonly #make: (parts: readonly SetPart[], key: Key) => S
  #starts = new Map<Key, PooledBranch<S>>()
  #size = 0

  constructor(make: (parts: readonly SetPart[], key: Key) => S) {
    this.#make = make
  }

  /** Nothing yet. */
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

/** Names are anybody's to choose, so a pool is emptied when it has grown this far; sets that are in use stay what they are. */
const maximumSize = 1_000_000

/** Besides its name, measured in characters. */
const sizeOfStep = 80

/** What is added in one step. */
export interface SetPart {
  readonly name: string
  readonly branch: FieldSet
}

interface Origin<S> {
  /** From all parts, in the order in which they were added. */
  make(parts: readonly SetPart[]): S
  /** Called for every step that is new. */
  grow(step: SetPart): void
}

/** A set that is being made. */
export class PooledBranch<S> implements SetPart {
  readonly name: string
  readonly branch: FieldSet
  readonly #origin: Origin<S>
  readonly #before: PooledBranch<S> | undefined
  #set: S | undefined
  /** The step that was taken first is nearly always the one that is taken again. */
  #next: PooledBranch<S> | undefined
  #others: Map<FieldSet, Map<string, PooledBranch<S>>> | undefined

  constructor(origin: Origin<S>, before?: PooledBranch<S>, name = '', branch = leaf) {
    this.name = name
    this.branch = branch
    this.#origin = origin
    this.#before = before
    origin.grow(this)
  }

  /** Adds a branch. No name may come twice. */
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
