import type { Clock, Timer } from '../../base/clock.js'
import { LeaseNotFoundError } from '../errors.js'
import type { GrantedLease, LeaseId } from '../store.js'
import type { LeaseLookup } from './batch.js'
import type { StoredLease, WriteSet } from './medium.js'

interface Page {
  readonly seconds: number
  readonly keys: Set<string>
  deadline: number
  /** Its time is over, and it is about to be revoked: nobody can keep it alive any more. */
  expired: boolean
}

/** Expiry is looked at no more often than this, in milliseconds; a lease may live that much longer than it was granted. */
const resolution = 100

/** The leases of a store as of its last commit, and the time each has left. */
export class LeaseTable implements LeaseLookup {
  readonly #clock: Clock
  readonly #expire: (id: LeaseId) => Promise<void>
  readonly #pages = new Map<LeaseId, Page>()
  #timer: Timer | undefined
  #timerDue = Infinity

  /** Leases that were kept while the store was away have their whole time again. */
  constructor(kept: Iterable<StoredLease>, clock: Clock, expire: (id: LeaseId) => Promise<void>) {
    this.#clock = clock
    this.#expire = expire
    for (const { id, seconds, keys } of kept) this.#pages.set(id, this.#page(seconds, keys))
    this.#setTimer()
  }

  has(id: LeaseId): boolean {
    return this.#pages.has(id)
  }

  keysUnder(id: LeaseId): Iterable<string> {
    return this.#pages.get(id)?.keys ?? []
  }

  keepAlive(id: LeaseId): GrantedLease {
    const page = this.#pages.get(id)
    if (!page || page.expired) throw new LeaseNotFoundError(id)
    page.deadline = this.#deadline(page.seconds)
    return { id, seconds: page.seconds }
  }

  /** Takes over what a commit did. */
  committed({ grantedLeases, revokedLeases, previousLeases, states }: WriteSet): void {
    for (const [id, seconds] of grantedLeases) this.#pages.set(id, this.#page(seconds, []))
    for (const [key, id] of previousLeases) this.#pages.get(id)?.keys.delete(key)
    for (const [key, { lease }] of states) if (lease !== undefined) this.#pages.get(lease)?.keys.add(key)
    for (const id of revokedLeases) this.#pages.delete(id)
    if (grantedLeases.size > 0) this.#setTimer()
  }

  close(): void {
    this.#timer?.cancel()
    this.#pages.clear()
  }

  #page(seconds: number, keys: readonly string[]): Page {
    return { seconds, keys: new Set(keys), deadline: this.#deadline(seconds), expired: false }
  }

  #deadline(seconds: number): number {
    return this.#clock.monotonic() + seconds * 1000
  }

  /** One timer for all, at the earliest deadline. One that was put off since is found out when the timer runs. */
  #setTimer(): void {
    let earliest = Infinity
    for (const page of this.#pages.values()) if (!page.expired && page.deadline < earliest) earliest = page.deadline
    if (earliest >= this.#timerDue) return
    this.#timer?.cancel()
    this.#timerDue = earliest
    // Node's timers hold at most 31 bits of milliseconds: a far deadline is approached in steps.
    const delay = Math.min(Math.max(earliest - this.#clock.monotonic(), resolution), 2 ** 31 - 1)
    this.#timer = this.#clock.timer(delay, () => {
      this.#timerDue = Infinity
      this.#expireDue()
      this.#setTimer()
    })
  }

  #expireDue(): void {
    const now = this.#clock.monotonic()
    for (const [id, page] of this.#pages) {
      if (page.expired || page.deadline > now) continue
      page.expired = true
      // What could not be written now, on a full disk for one, is tried again.
      this.#expire(id).catch(() => {
        page.expired = false
        page.deadline = this.#clock.monotonic() + 10 * resolution
        this.#setTimer()
      })
    }
  }
}
