import type { ClusterEvent } from '../framework/cluster-event.js'

/**
 * What happened while pods were being tried. A pod that comes back without a node looks at all that happened since it was taken: by then
 * it may be out of date what it was refused for, and nobody would tell it again.
 */
export class InFlight {
  readonly #pods = new Map<string, number>()
  /** What happened, the oldest first; the first one has the number `#first`. Empty while nothing is in flight. */
  #events: ClusterEvent[] = []
  #first = 0

  get size(): number {
    return this.#pods.size
  }

  /** For tests: how much is remembered. */
  get eventCount(): number {
    return this.#events.length
  }

  has(uid: string): boolean {
    return this.#pods.has(uid)
  }

  begin(uid: string): void {
    this.#pods.set(uid, this.#first + this.#events.length)
  }

  note(event: ClusterEvent): void {
    if (this.#pods.size > 0) this.#events.push(event)
  }

  /** What happened since the pod was taken. */
  since(uid: string): readonly ClusterEvent[] {
    const begun = this.#pods.get(uid)
    return begun === undefined ? [] : this.#events.slice(begun - this.#first)
  }

  end(uid: string): void {
    const begun = this.#pods.get(uid)
    this.#pods.delete(uid)
    if (begun === this.#first || this.#pods.size === 0) this.#dropSeen()
  }

  /** Pods are taken one after the other, so that the first of them has begun first. */
  #dropSeen(): void {
    const [oldest] = this.#pods.values()
    const end = this.#first + this.#events.length
    const kept = oldest ?? end
    this.#events = kept === end ? [] : this.#events.slice(kept - this.#first)
    this.#first = kept
  }
}
