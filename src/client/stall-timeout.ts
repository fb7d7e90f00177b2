import { whenAborted } from '../base/abort.js'
import type { Clock, Timer } from '../base/clock.js'

/** The server has sent nothing for so long that the connection must be dead. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

export interface StallTimeoutOptions {
  readonly clock: Clock
  readonly signal: AbortSignal
  /** Milliseconds of silence that are allowed. Called again each time they are over. */
  readonly limit: () => number
}

/** Waits for a response for at most `limit` milliseconds. The callee must end when its signal is aborted. */
export async function withStallTimeout<T>(
  send: (signal: AbortSignal) => Promise<T>,
  options: StallTimeoutOptions,
): Promise<T> {
  const attention = new StallTimer(options)
  try {
    return await attention.wait(send(attention.signal))
  } finally {
    attention.end()
  }
}

/** Passes a stream on. Throws a `StalledError` if it does not start, or does not continue, within `limit` milliseconds. */
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
    // It may be the one that hangs, and its result does not matter any more.
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
    const { clock, signal, limit } = options
    this.#options = options
    this.#lastHeard = clock.monotonic()
    this.#timer = clock.timer(limit(), () => this.#check())
    this.#stopListening = whenAborted(signal, () => this.#fail(signal.reason))
    if (signal.aborted) this.#fail(signal.reason)
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  /** Only notes the time: the timer is not restarted for each event, but checks the time when it fires. */
  heard(): void {
    this.#lastHeard = this.#options.clock.monotonic()
  }

  /** Settles with `response`, or with the reason of the timeout or signal, even if the transport ignores its signal. */
  wait<A>(response: Promise<A>): Promise<A> {
    return new Promise((resolve, reject) => {
      this.#stop = reject
      response.then(resolve, reject)
      if (this.signal.aborted) reject(this.signal.reason)
    })
  }

  end(): void {
    this.#timer.cancel()
    this.#stopListening()
    this.#ending.abort(over)
  }

  #check(): void {
    const { clock, limit } = this.#options
    const quiet = clock.monotonic() - this.#lastHeard
    // In whole milliseconds: a remainder that comes only from rounding would restart the timer forever.
    const left = Math.round(limit() - quiet)
    if (left > 0) this.#timer = clock.timer(left, () => this.#check())
    else this.#fail(new StalledError(`nothing was received for ${Math.round(quiet / 1000)} seconds`))
  }

  #fail(reason: unknown): void {
    this.#stop?.(reason)
    this.#ending.abort(reason)
  }
}
