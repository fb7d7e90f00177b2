import type { Clock, Timer } from '../../base/clock.js'

export interface HeartbeatOptions {
  readonly clock: Clock
  /** In milliseconds: how long a silence is noticed. */
  readonly interval: number
  /** Whether anything is expected of the other side. While nothing is, the heartbeat rests. */
  readonly isAwaited: () => boolean
  /** Asks the other side for a sign of life, and rejects when none came in time. */
  readonly probe: () => Promise<void>
  readonly onDeath: (reason: string) => void
}

/**
 * Notices when the other side is there but does not answer: stopped, cut off, or gone without a word. Such a peer breaks no
 * connection, so whoever waits for it would wait for ever. And it notices when we ourselves were away, for then the other side
 * has long given us up.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions
  #timer: Timer | undefined
  #asking = false
  #heardAt = 0
  #beatAt = 0

  constructor(options: HeartbeatOptions) {
    this.#options = options
  }

  /** Something is awaited from now on. */
  start(): void {
    if (this.#timer) return
    this.#heardAt = this.#beatAt = this.#options.clock.monotonic()
    this.#next()
  }

  /** Something came. Returns false, and declares death, when it lay there while this process slept. */
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
      if (!this.#asking && now - this.#heardAt >= this.#options.interval) void this.#ask()
      this.#next()
    }
  }

  async #ask(): Promise<void> {
    this.#asking = true
    try {
      await this.#options.probe()
      this.heard()
    } catch (error) {
      if (this.#timer) this.#die(`no sign of life: ${(error as Error).message}`)
    } finally {
      this.#asking = false
    }
  }

  #die(reason: string): void {
    this.stop()
    this.#options.onDeath(reason)
  }
}
