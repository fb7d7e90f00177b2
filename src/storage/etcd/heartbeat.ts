import type { Clock, Timer } from '../../base/clock.js'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** Milliseconds without a message until the peer is probed. */
  readonly interval: number
  /** Whether a message is expected. The heartbeat pauses while none is. */
  readonly isAwaited: () => boolean
  /** Probes the peer. Rejects if there is no response in time. */
  readonly probe: () => Promise<void>
  readonly onDeath: (reason: string) => void
}

/**
 * Detects a peer that is connected but does not respond: stopped, unreachable, or gone without closing. Such a peer does not break the
 * connection, so its callers would wait for ever. Also detects that this process was suspended: the peer has then given up the connection.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #timer: Timer | undefined
  #isProbing = false
  #heardAt = 0
  #beatAt = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** A message is expected from now on. */
  start(): void {
    if (this.#timer) return
    this.#heardAt = this.#beatAt = this.#options.clock.monotonic()
    this.#next()
  }

  /** A message came. Returns false, and reports the peer as dead, if the message arrived while this process was suspended. */
  heard(): boolean {
    const now = this.#options.clock.monotonic()
    this.#heardAt = now
    if (!this.#timer || now - this.#beatAt < 10 * this.#options.interval) return true
    this.#die('this process was asleep')
    return false
  }

  stop(): void {
    this.#timer?.cancel()
    this.#timer = undefined
  }

  #next(): void {
    this.#timer = this.#options.clock.timer(this.#options.interval, () => this.#beat())
  }

  #beat(): void {
    const now = this.#options.clock.monotonic()
    const slept = now - this.#beatAt >= 10 * this.#options.interval
    this.#beatAt = now
    if (slept) this.#die('this process was asleep')
    else if (!this.#options.isAwaited()) this.stop()
    else {
      if (!this.#isProbing && now - this.#heardAt >= this.#options.interval) void this.#probe()
      this.#next()
    }
  }

  async #probe(): Promise<void> {
    this.#isProbing = true
    try {
      await this.#options.probe()
      this.heard()
    } catch (error) {
      if (this.#timer) this.#die(`no sign of life: ${(error as Error).message}`)
    } finally {
      this.#isProbing = false
    }
  }

  #die(reason: string): void {
    this.stop()
    this.#options.onDeath(reason)
  }
}
