import { whenAborted } from '../base/abort.js'
import type { Clock, Timer } from '../base/clock.js'

/** Nothing was heard from the server for so long that the connection must be dead, whatever the operating system says. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

export interface StallTimeoutOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** How many milliseconds may pass without a word; asked again when they are over. */
  readonly limit: () => number
}

/** Waits for an answer, and not for longer than there is patience. What is asked must give up when its signal is aborted. */
export async function withStallTimeout<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  options: StallTimeoutOptions,
): Promise<T> {
  const attention = new StallTimer(options)
  try {
    return await attention.wait(ask(attention.signal))
  } finally {
    attention.end()
  }
}

/** Hands on what comes. Throws a `StalledError` if it does not begin, or nothing more comes, while there is patience. */
export async function* streamWithStallTimeout<T>(
  open: (signal: AbortSignal) => Promise<AsyncIterable<T>>,
  options: StallTimeoutOptions,
): AsyncGenerator<T, void, undefined> {
  const attention = new StallTimer(options)
  let source: AsyncIterator<T> | undefined
  try {
    source = (await attention.wait(open(attention.signal)))[Symbol.asyncIterator]()
    for (let next = await attention.wait(source.next()); !next.done; next = await attention.wait(source.next())) {
      attention.heard()
      yield next.value
    }
  } finally {
    attention.end()
    // It may be the one that does not answer, and how it ends does not matter any more.
    source?.return?.().catch(() => {})
  }
}

/** Nobody sees it. Without a reason, each abort would make an error with a stack, which costs more than the rest. */
const over = new Error('the wait is over')

class StallTimer {
  readonly #options: StallTimeoutOptions
  readonly #ending = new AbortController()
  readonly #stopListening: () => void
  #lastHeard: number
  #timer: Timer
  #stop: ((reason: unknown) => void) | undefined

  constructor(options: StallTimeoutOptions) {
    const { clock, signal, limit: patience } = options
    this.#options = options
    this.#lastHeard = clock.monotonic()
    this.#timer = clock.timer(patience(), () => this.#check())
    this.#stopListening = whenAborted(signal, () => this.#giveUp(signal.reason))
    if (signal.aborted) this.#giveUp(signal.reason)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** The timer is not set anew for every word that is heard: it looks, when it rings, whether there was one. */
  heard(): void {
    this.#lastHeard = this.#options.clock.monotonic()
  }

  /** Ends when `answer` does, or with the reason to give up: a transport that is deaf to its signal holds nobody up. */
  wait<A>(answer: Promise<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#stop = reject
      answer.then(resolve, reject)
      if (this.signal.aborted) reject(this.signal.reason)
    })
  }

  end(): void {
    this.#timer.cancel()
    this.#stopListening()
    this.#ending.abort(over)
  }

  #check(): void {
    const { clock, limit: patience } = this.#options
    const quiet = clock.monotonic() - this.#lastHeard
    // In whole milliseconds: a rest that is only what rounding leaves would be waited for without end.
    const left = Math.round(patience() - quiet)
    if (left > 0) this.#timer = clock.timer(left, () => this.#check())
    else this.#giveUp(new StalledError(`nothing was heard for ${Math.round(quiet / 1000)} seconds`))
  }

  #giveUp(reason: unknown): void {
    this.#stop?.(reason)
    this.#ending.abort(reason)
  }
}
