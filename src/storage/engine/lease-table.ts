import type { Clock, Timer } from '../../base/clock.js'
import { LeaseNotFoundError } from '../errors.js'
import type { GrantedLease, LeaseId } from '../store.js'
import type { LeaseLookup } from './batch.js'
import type { StoredLease, WriteSet } from './medium.js'

interface Page {
  readonly seconds: number
  readonly keys: Set<string>
  deadline: number
  /** The lease has expired and is about to be revoked: it can no longer be kept alive. */
  expired: boolean
}

/** Minimum interval of expiry checks in milliseconds. A lease may live this much longer than it was granted. */
const resolution = 100

/** The leases of the last commit, with the remaining time of each. */
export class LeaseTable implements LeaseLookup {
  readonly #clock: Clock
  readonly #expire: (id: LeaseId) => Promise<void>
  readonly #pages = new Map<LeaseId, Page>()
  #timer: Timer | undefined
  #timerDue = Infinity

  /** Leases of an earlier process start again with their full duration. */
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

  /** Applies the changes of a commit. */
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

  /** Sets one timer for all leases, at the earliest deadline. A lease that was kept alive since is skipped when the timer fires. */
  #setTimer(): void {
    let earliest = Infinity
    for (const page of this.#pages.values()) if (!page.expired && page.deadline < earliest) earliest = page.deadline
    if (earliest >= this.#timerDue) return
    this.#timer?.cancel()
    this.#timerDue = earliest
    // Node's timers hold 31 bits of milliseconds: a later deadline takes several timers.
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
      // A revocation that fails, for example on a full disk, is tried again.
      this.#expire(id).catch(() => {
        page.expired = false
        page.deadline = this.#clock.monotonic() + 10 * resolution
        this.#setTimer()
      })
    }
  }
}
