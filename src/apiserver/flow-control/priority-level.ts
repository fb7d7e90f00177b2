import type { Clock, Timer } from '../../base/clock.js'

export interface LevelLimits {
  /** Its own seats. */
  readonly seats: number
  /** How many of them other levels may borrow. */
  readonly lendable: number
  /** How many seats of other levels it may borrow. */
  readonly borrowable: number
  /** Requests without a seat wait in the queue of their flow. Undefined: they are rejected. */
  readonly queue: { readonly perFlow: number; readonly total: number } | undefined
}

/** Why a request is rejected, in upstream's words of the metric. */
export type QueueRejection = 'concurrency-limit' | 'queue-full' | 'time-out'

interface Waiter {
  readonly flow: string
  readonly settle: (reason: QueueRejection | undefined) => void
  readonly timer: Timer
}

export interface PriorityLevelDependencies {
  readonly clock: Clock
  /** Upper bound of the time in a queue, in milliseconds. */
  readonly patience: number
  /** Reports whether another level has a free seat to lend. */
  readonly mayBorrow: () => boolean
}

/**
 * How many requests of one flow start in one iteration of the event loop. One thread does all work: requests that start together delay all
 * later ones, whether or not there are seats. The rest of a flood waits for the next iterations, and requests of other flows run in between.
 */
const startsPerIteration = 16

/** A priority level: its seats, and the queues of requests that wait for one. Serves the flows round robin, however long their queues are. */
export class PriorityLevel {
  limits: LevelLimits
  executing = 0
  waiting = 0
  dispatched = 0
  readonly rejected: Record<QueueRejection, number> = { 'concurrency-limit': 0, 'queue-full': 0, 'time-out': 0 }
  readonly #dependencies: PriorityLevelDependencies
  /** Queues by flow, in round-robin order. No queue is empty. */
  readonly #queues = new Map<string, Waiter[]>()
  /** How many requests of each flow, and from queues, have started in this iteration of the event loop. */
  #begun = new Map<string, number>()
  #served = 0
  #isIterationWatched = false

  constructor(limits: LevelLimits, dependencies: PriorityLevelDependencies) {
    this.limits = limits
    this.#dependencies = dependencies
  }

  /** Borrowed seats of other levels, and own seats that it can lend now. */
  get borrowed(): number {
    return Math.max(0, this.executing - this.limits.seats)
  }
  get spare(): number {
    return Math.max(0, Math.min(this.limits.lendable, this.limits.seats - this.executing))
  }

  /** Takes a seat and returns undefined, or returns the reason of the rejection; a promise if the request has to wait. */
  enter(flow: string): undefined | QueueRejection | Promise<undefined | QueueRejection> {
    const { queue } = this.limits
    const own = this.#queues.get(flow)
    if (this.#hasSeat() && (!queue || (!own && this.#mayBegin(flow)))) return this.#sit()
    if (!queue) return this.#reject('concurrency-limit')
    if (this.waiting >= queue.total || (own && own.length >= queue.perFlow)) return this.#reject('queue-full')
    return new Promise((resolve) => this.#wait(flow, own, resolve))
  }

  #hasSeat(): boolean {
    if (this.executing < this.limits.seats) return true
    return this.borrowed < this.limits.borrowable && this.#dependencies.mayBorrow()
  }

  #mayBegin(flow: string): boolean {
    const begun = this.#begun.get(flow) ?? 0
    this.#begun.set(flow, begun + 1)
    this.#watchTurn()
    return begun < startsPerIteration
  }

  /** Resets the counters once, at the end of this iteration. */
  #watchTurn(): void {
    if (this.#isIterationWatched) return
    this.#isIterationWatched = true
    setImmediate(() => {
      this.#isIterationWatched = false
      this.#begun = new Map() // a cleared map keeps its tables (docs/decisions/014)
      this.#served = 0
      this.serve()
    })
  }

  #sit(): undefined {
    this.executing++
    this.dispatched++
    return undefined
  }

  #reject(reason: QueueRejection): QueueRejection {
    this.rejected[reason]++
    return reason
  }

  #wait(flow: string, own: Waiter[] | undefined, settle: Waiter['settle']): void {
    const { clock, patience } = this.#dependencies
    const timer = clock.timer(patience, () => {
      this.#remove(waiter)
      settle(this.#reject('time-out'))
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

  /** Gives free seats to waiting requests. Continues in the next iteration if enough have started in this one. */
  serve(): void {
    while (this.waiting > 0 && this.#hasSeat()) {
      this.#watchTurn()
      if (this.#served === startsPerIteration) return
      this.#served++
      this.#next().settle(this.#sit())
    }
  }

  /** Takes the first request of the next flow, and moves that flow to the end. */
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
