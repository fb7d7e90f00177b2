import type { Clock } from '../../base/clock.js'
import { Heap } from '../../base/heap.js'
import type { PodOrder, QueuedPod } from './queued-pod.js'

/** In milliseconds. The defaults are upstream's. */
export interface PodBackoffOptions {
  /** After the first failure; it doubles with each further one. */
  readonly initial?: number
  readonly max?: number
}

/** Pods whose backoff ends within the same interval become ready together, at its start, in queue order. Milliseconds. */
const interval = 1000

/** Pods that failed and wait for their backoff to end, so that they do not keep others from being scheduled. */
export class BackoffPods {
  readonly #clock: Clock
  readonly #initial: number
  readonly #max: number
  /** Unschedulable pods. If the active queue is empty, they are scheduled before their backoff ends. */
  readonly #unschedulable: Heap<QueuedPod>
  /** Pods whose attempt ended with an error. They wait for the whole backoff: retries do not help a server in trouble. */
  readonly #failed: Heap<QueuedPod>

  constructor(clock: Clock, isBefore: PodOrder, { initial = 1000, max = 10_000 }: PodBackoffOptions = {}) {
    this.#clock = clock
    this.#initial = initial
    this.#max = max
    const isReadyBefore: PodOrder = (one, other) =>
      one.readyAt === other.readyAt ? isBefore(one, other) : one.readyAt < other.readyAt
    this.#unschedulable = new Heap(isReadyBefore)
    this.#failed = new Heap(isReadyBefore)
  }

  get size(): number {
    return this.#unschedulable.size + this.#failed.size
  }

  isBackingOff(pod: QueuedPod): boolean {
    return this.#readyAt(pod) > this.#clock.monotonic()
  }

  add(pod: QueuedPod): void {
    pod.readyAt = this.#readyAt(pod)
    this.#heapOf(pod).push(pod)
  }

  remove(pod: QueuedPod): void {
    this.#heapOf(pod).remove(pod)
  }

  /** A pod whose backoff has ended. */
  takeReady(): QueuedPod | undefined {
    const now = this.#clock.monotonic()
    for (const heap of [this.#unschedulable, this.#failed]) {
      const first = heap.peek()
      if (first && first.readyAt <= now) return heap.pop()
    }
    return undefined
  }

  /** The first of the pods that may be scheduled before their backoff ends. */
  takeEarly(): QueuedPod | undefined {
    return this.#unschedulable.pop()
  }

  /** Milliseconds until the next backoff ends; undefined if there is none. */
  untilReady(): number | undefined {
    const ends = [this.#unschedulable.peek(), this.#failed.peek()].flatMap((pod) => (pod ? [pod.readyAt] : []))
    return ends.length === 0 ? undefined : Math.max(0, Math.min(...ends) - this.#clock.monotonic())
  }

  #readyAt({ since, errors, unschedulableAttempts }: QueuedPod): number {
    const failures = errors || unschedulableAttempts
    if (failures === 0) return since
    const end = since + Math.min(this.#max, this.#initial * 2 ** (failures - 1))
    return Math.floor(end / interval) * interval
  }

  #heapOf({ errors }: QueuedPod): Heap<QueuedPod> {
    return errors > 0 ? this.#failed : this.#unschedulable
  }
}
