import type { Clock } from '../../base/clock.js'
import { Heap } from '../../base/heap.js'
import { isScheduledBefore, type QueuedPod } from './queued-pod.js'

/** Milliseconds; upstream's where they are left out. */
export interface PodBackoffOptions {
  /** After the first failure; twice as long after each further one. */
  readonly initial?: number
  readonly max?: number
}

/** All whose time ends within the same such span come at its beginning, in the order in which they matter. Milliseconds. */
const span = 1000

/** Pods that failed and are held back for a while, so that those who fail always leave the others their turn. */
export class BackoffPods {
  readonly #clock: Clock
  readonly #initial: number
  readonly #max: number
  /** Those that no node would take. If there is nothing better to do, they are tried before their time. */
  readonly #refused = new Heap<QueuedPod>(isReadyBefore)
  /** Those for which something went wrong. They wait for their time: to ask a server in trouble more often helps nobody. */
  readonly #failed = new Heap<QueuedPod>(isReadyBefore)

  constructor(clock: Clock, { initial = 1000, max = 10_000 }: PodBackoffOptions = {}) {
    this.#clock = clock
    this.#initial = initial
    this.#max = max
  }

  get size(): number {
    return this.#refused.size + this.#failed.size
  }

  /** When a pod may be tried again that failed when it was last put into the queue. */
  readyAt({ since, errors, unschedulableAttempts }: QueuedPod): number {
    const failures = errors || unschedulableAttempts
    if (failures === 0) return since
    const end = since + Math.min(this.#max, this.#initial * 2 ** (failures - 1))
    return Math.floor(end / span) * span
  }

  isHeldBack(pod: QueuedPod): boolean {
    return this.readyAt(pod) > this.#clock.monotonic()
  }

  add(pod: QueuedPod): void {
    pod.readyAt = this.readyAt(pod)
    this.#heapOf(pod).push(pod)
  }

  remove(pod: QueuedPod): void {
    this.#heapOf(pod).remove(pod)
  }

  /** One whose time is over. */
  takeReady(): QueuedPod | undefined {
    const now = this.#clock.monotonic()
    for (const heap of [this.#refused, this.#failed]) if (isOver(heap, now)) return heap.pop()
    return undefined
  }

  /** The first of those that may be tried early. */
  takeEarly(): QueuedPod | undefined {
    return this.#refused.pop()
  }

  /** Milliseconds until somebody's time is over; undefined if nobody is held back. */
  untilReady(): number | undefined {
    const ends = [this.#refused.peek(), this.#failed.peek()].flatMap((pod) => (pod ? [pod.readyAt] : []))
    return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends) - this.#clock.monotonic())
  }

  #heapOf({ errors }: QueuedPod): Heap<QueuedPod> {
    return errors > 0 ? this.#failed : this.#refused
  }
}

function isReadyBefore(one: QueuedPod, other: QueuedPod): boolean {
  return one.readyAt === other.readyAt ? isScheduledBefore(one, other) : one.readyAt < other.readyAt
}

function isOver(heap: Heap<QueuedPod>, now: number): boolean {
  const first = heap.peek()
  return first !== undefined && first.readyAt <= now
}
