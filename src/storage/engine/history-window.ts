import type { Clock, Timer } from '../../base/clock.js'

interface Mark {
  readonly at: number
  readonly revision: number
}

/** The window advances in this many steps: history is kept for the window plus at most one step. */
const steps = 30

/** Decides which history to compact: everything that is older than the window. */
export class HistoryWindow {
  readonly #clock: Clock
  readonly #milliseconds: number
  readonly #revision: () => number
  readonly #forget: (revision: number) => void
  /** Times and revisions of the store, the oldest first, at most `steps` of them. */
  #marks: Mark[]
  #timer: Timer | undefined

  constructor(options: {
    readonly clock: Clock
    readonly milliseconds: number
    readonly revision: () => number
    readonly forget: (revision: number) => void
  }) {
    this.#clock = options.clock
    this.#milliseconds = options.milliseconds
    this.#revision = options.revision
    this.#forget = options.forget
    // The age of the history that was found at the start is unknown: it is kept for a whole window.
    this.#marks = [{ at: this.#clock.monotonic(), revision: this.#revision() }]
    this.#wait()
  }

  close(): void {
    this.#timer?.cancel()
  }

  #wait(): void {
    this.#timer = this.#clock.timer(this.#milliseconds / steps, () => {
      this.#move()
      this.#wait()
    })
  }

  #move(): void {
    const now = this.#clock.monotonic()
    const revision = this.#revision()
    if (this.#marks.at(-1)?.revision !== revision) this.#marks.push({ at: now, revision })
    // The store passed the revision of a mark after the mark was made, so nothing is compacted too early.
    const old = this.#marks.filter((mark) => mark.at <= now - this.#milliseconds)
    const last = old.at(-1)
    if (!last) return
    this.#marks = this.#marks.slice(old.length)
    this.#forget(last.revision)
  }
}
