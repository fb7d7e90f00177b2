import type { Clock, Timer } from '../../base/clock.js'

interface Mark {
  readonly at: number
  readonly revision: number
}

/** The window is moved on in so many steps: history is kept for the window, and for at most one step longer. */
const steps = 30

/** Decides which history is old enough to be forgotten: whatever has been there for the whole window. */
export class HistoryWindow {
  readonly #clock: Clock
  readonly #milliseconds: number
  readonly #revision: () => number
  readonly #forget: (revision: number) => void
  /** When the store was seen at which revision, oldest first, never more than there are steps. */
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
    // Nobody knows how old the history is that was found at the start: it gets the whole window.
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
    // The store has left this mark's revision behind, if at all, after the mark was made: nothing is forgotten too soon.
    const old = this.#marks.filter((mark) => mark.at <= now - this.#milliseconds)
    const last = old.at(-1)
    if (!last) return
    this.#marks = this.#marks.slice(old.length)
    this.#forget(last.revision)
  }
}
