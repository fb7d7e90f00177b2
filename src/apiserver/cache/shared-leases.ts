import type { Clock } from '../../base/clock.js'
import type { LeaseId, Store } from '../../storage/store.js'

/** The end of a lease deletes all its keys in one transaction, which must stay short. */
const objectsPerLease = 1000
/** Objects with an hour to live share a lease if they expire within the same minute. Shorter lives have a finer step. */
const longestStep = 60
const stepsPerLife = 60

interface SharedLease {
  readonly id: Promise<LeaseId>
  /** In seconds of the monotonic clock. */
  readonly end: number
  objects: number
}

/** Leases for objects with a time to live. Many objects share few leases; each object lives at least as long as requested. */
export class SharedLeases {
  readonly #store: Store
  readonly #clock: Clock
  /** By end and step. */
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

  /** Called when the store does not know a lease any more. */
  forget(): void {
    this.#leases.clear()
  }

  #grant(name: string, end: number, now: number): SharedLease {
    for (const [other, lease] of this.#leases) if (lease.end <= now) this.#leases.delete(other)
    const id = this.#store.grantLease(Math.ceil(end - now)).then((lease) => lease.id)
    const shared = { id, end, objects: 0 }
    this.#leases.set(name, shared)
    id.catch(() => this.#leases.delete(name)) // the caller sees the error
    return shared
  }
}
