import type { Clock, Timer } from '../../base/clock.js'

export interface LevelLimits {
  /** Its own. */
  readonly seats: number
  /** How many of these others may use while it does not. */
  readonly lendable: number
  /** How many of others it may use. */
  readonly borrowable: number
  /** Who finds no seat waits in the queue of its flow; undefined: is turned away. */
  readonly queue: { readonly perFlow: number; readonly total: number } | undefined
}

/** Why somebody is turned away; by upstream's names, for the metric. */
export type Refusal = 'concurrency-limit' | 'queue-full' | 'time-out'

interface Waiter {
  readonly flow: string
  readonly settle: (refusal: Refusal | undefined) => void
  readonly timer: Timer
}

export interface LevelParts {
  readonly clock: Clock
  /** How long somebody waits at most, in milliseconds. */
  readonly patience: number
  /** Whether a seat of others is free. */
  readonly mayBorrow: () => boolean
}

/**
 * How many requests of one flow begin in one turn of the event loop. All work is done by one thread: what begins at once keeps
 * everybody waiting who comes after it, whether or not there are seats. The rest of a flood waits for the next turns, and what
 * others ask for is looked at in between.
 */
const beginningsPerTurn = 16

/** So many seats, and those who wait for one. Flows get their turn one after the other, however long each one's queue is. */
export class PriorityLevel {
  limits: LevelLimits
  executing = 0
  waiting = 0
  dispatched = 0
  readonly refused: Record<Refusal, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0 }
  readonly #parts: LevelParts
  /** Flows in which somebody waits, in the order of their turns. No queue in here is empty. */
  readonly #queues = new Map<string, Waiter[]>()
  /** How many of each flow, and of those who waited, have begun in this turn of the event loop. */
  #begun = new Map<string, number>()
  #served = 0
  #isTurnWatched = false

  constructor(limits: LevelLimits, parts: LevelParts) {
    this.limits = limits
    this.#parts = parts
  }

  /** Seats of others that it uses, and own ones that others may use now. */
  get borrowed(): number {
    return Math.max(0, this.executing - this.limits.seats)
  }
  get spare(): number {
    return Math.max(0, Math.min(this.limits.lendable, this.limits.seats - this.executing))
  }

  /** Undefined: there is a seat, and it is taken. Otherwise why not, now or later. */
  enter(flow: string): undefined | Refusal | Promise<undefined | Refusal> {
    const { queue } = this.limits
    const own = this.#queues.get(flow)
    if (this.#hasSeat() && (!queue || (!own && this.#mayBegin(flow)))) return this.#sit()
    if (!queue) return this.#refuse('concurrency-limit')
    if (this.waiting >= queue.total || (own && own.length >= queue.perFlow)) return this.#refuse('queue-full')
    return new Promise((resolve) => this.#wait(flow, own, resolve))
  }

  #hasSeat(): boolean {
    if (this.executing < this.limits.seats) return true
    return this.borrowed < this.limits.borrowable && this.#parts.mayBorrow()
  }

  #mayBegin(flow: string): boolean {
    const begun = this.#begun.get(flow) ?? 0
    this.#begun.set(flow, begun + 1)
    this.#watchTurn()
    return begun < beginningsPerTurn
  }

  /** Once, at the end of this turn. */
  #watchTurn(): void {
    if (this.#isTurnWatched) return
    this.#isTurnWatched = true
    setImmediate(() => {
      this.#isTurnWatched = false
      this.#begun = new Map() // one that is cleared keeps its tables (docs/decisions/014)
      this.#served = 0
      this.serve()
    })
  }

  #sit(): undefined {
    this.executing++
    this.dispatched++
    return undefined
  }

  #refuse(refusal: Refusal): Refusal {
    this.refused[refusal]++
    return refusal
  }

  #wait(flow: string, own: Waiter[] | undefined, settle: Waiter['settle']): void {
    const { clock, patience } = this.#parts
    const timer = clock.timer(patience, () => {
      this.#remove(waiter)
      settle(this.#refuse('time-out'))
    })
    const waiter: Waiter = { flow, settle, timer }
    if (own) own.push(waiter)
    else this.#queues.set(flow, [waiter])
    this.waiting++
  }

  #remove({ flow, timer }: Waiter): void {
    timer.cancel()
    const left = this.#queues.get(flow)!.filter((other) => other.timer !== timer)
    if (left.length > 0) this.#queues.set(flow, left)
    else this.#queues.delete(flow)
    this.waiting--
  }

  leave(): void {
    this.executing--
    this.serve()
  }

  /** Gives seats to those who wait, as long as there are any, and in the next turn where these are enough for this one. */
  serve(): void {
    while (this.waiting > 0 && this.#hasSeat()) {
      this.#watchTurn()
      if (this.#served === beginningsPerTurn) return
      this.#served++
      this.#next().settle(this.#sit())
    }
  }

  /** The first of the flow whose turn it is, which then goes to the end. */
  #next(): Waiter {
    const [flow, queue] = this.#queues.entries().next().value!
    const waiter = queue.shift()!
    waiter.timer.cancel()
    this.#queues.delete(flow)
    if (queue.length > 0) this.#queues.set(flow, queue)
    this.waiting--
    return waiter
  }
}
