import type { Clock } from '../../base/clock.js'
import type { LeaseId, Store } from '../../storage/store.js'

/** Ending one lease deletes all its keys at once: that should not keep others waiting. */
const objectsPerLease = 1000
/** Objects that end within the same minute share a lease, if they live for an hour; shorter lives are told apart more finely. */
const longestStep = 60
const stepsPerLife = 60

interface SharedLease {
  readonly id: Promise<LeaseId>
  /** In seconds, as the clock knows them. */
  readonly end: number
  objects: number
}

/** Leases for objects that go by themselves: few leases for many objects, each object living at least as long as it was given. */
export class SharedLeases {
  readonly #store: Store
  readonly #clock: Clock
  /** By their end, and how finely that was chosen. */
  readonly #leases = new Map<string, SharedLease>()

  constructor(store: Store, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  lease(seconds: number): Promise<LeaseId> {
    const now = this.#clock.monotonic() / 1000
    const step = Math.min(longestStep, Math.max(1, Math.floor(seconds / stepsPerLife)))
    const end = Math.ceil((now + seconds) / step) * step
    const name = `${end}/${step}`
    const shared = this.#leases.get(name) ?? this.#grant(name, end, now)
    if (++shared.objects >= objectsPerLease) this.#leases.delete(name)
    return shared.id
  }

  /** What was granted is not there any more: begin anew. */
  forget(): void {
    this.#leases.clear()
  }

  #grant(name: string, end: number, now: number): SharedLease {
    for (const [other, lease] of this.#leases) if (lease.end <= now) this.#leases.delete(other)
    const id = this.#store.grantLease(Math.ceil(end - now)).then((lease) => lease.id)
    const shared = { id, end, objects: 0 }
    this.#leases.set(name, shared)
    id.catch(() => this.#leases.delete(name)) // the one who waits for it is told
    return shared
  }
}
