import type { ClusterEvent } from '../framework/cluster-event.js'

/**
 * The events that happened while pods were in flight. A pod that comes back without a node is checked against all events since it was
 * taken: they happened after its snapshot, and will not be reported again.
 */
export class InFlight {
  /** The number of the next event when the pod was taken, by uid. */
  readonly #pods = new Map<string, number>()
  /** The oldest first. The first one has the number `#first`. Empty while no pod is in flight. */
  #events: ClusterEvent[] = []
  #first = 0

  get size(): number {
    return this.#pods.size
  }

  get eventCount(): number {
    return this.#events.length
  }

  has(uid: string): boolean {
    return this.#pods.has(uid)
  }

  begin(uid: string): void {
    this.#pods.set(uid, this.#first + this.#events.length)
  }

  record(event: ClusterEvent): void {
    if (this.#pods.size > 0) this.#events.push(event)
  }

  /** The events since the pod was taken. */
  since(uid: string): readonly ClusterEvent[] {
    const begun = this.#pods.get(uid)
    return begun === undefined ? [] : this.#events.slice(begun - this.#first)
  }

  end(uid: string): void {
    const begun = this.#pods.get(uid)
    this.#pods.delete(uid)
    if (begun === this.#first || this.#pods.size === 0) this.#dropOldEvents()
  }

  /** Pods are taken one after the other, so that the first one in the map has begun first. */
  #dropOldEvents(): void {
    const [oldest] = this.#pods.values()
    const end = this.#first + this.#events.length
    const needed = oldest ?? end
    this.#events = needed === end ? [] : this.#events.slice(needed - this.#first)
    this.#first = needed
  }
}
