import { badRequest, timeout } from '../../api/errors.js'
import type { Clock, Timer } from '../../base/clock.js'
import { DurationError, parseDuration, toMilliseconds } from '../../base/duration.js'
import { LinkedList } from '../../base/linked-list.js'
import type { PipelineStage, RequestContext } from './request-context.js'
import { isLongRunning } from './request-info.js'

interface RunningRequest {
  readonly due: number
  readonly expire: () => void
}

/** How late a timeout may be, in milliseconds. One timer serves all requests with the same limit. */
const coarseness = 500

/** Limits the duration of requests that are not long-running. A request that takes too long fails with 504. */
export class Deadlines {
  readonly #clock: Clock
  readonly #limit: number
  /** Ordered by deadline. */
  readonly #running = new LinkedList<RunningRequest>()
  #timer: Timer | undefined

  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#limit = limit
  }

  /** Sets the deadline of a request. Rejects a malformed `timeout` before any work is done. */
  readonly stage: PipelineStage = {
    name: 'deadline',
    run: (context) => {
      if (isLongRunning(context.info)) return
      const limit = this.#limitOf(context.request.query)
      if (limit > 0) context.deadline = context.began + limit
    },
  }

  /** Settles as `work` does, or rejects at the deadline. The client does not see what `work` does after that. */
  within<T>(work: Promise<T>, context: RequestContext): Promise<T> {
    if (isLongRunning(context.info) || this.#limit === 0) return work
    const limit = this.#limitOf(context.request.query)
    const late = () => context.whenLate?.() ?? tooLate()
    return limit < this.#limit ? this.#withOwnTimer(work, limit, late) : this.#withSharedTimer(work, late)
  }

  /** Returns the limit of the server, or a shorter one that the client requests. */
  #limitOf(query: URLSearchParams): number {
    const given = query.size === 0 ? '' : (query.get('timeout') ?? '')
    if (given === '') return this.#limit
    try {
      const requested = toMilliseconds(parseDuration(given))
      return requested <= 0 ? this.#limit : Math.min(requested, this.#limit)
    } catch (error) {
      throw error instanceof DurationError ? badRequest('invalid timeout specified in the request URL') : error
    }
  }

  #withSharedTimer<T>(work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => this.#running.remove(link)
      const fail = (error: unknown) => {
        end()
        reject(error)
      }
      const link = this.#running.add({ due: this.#clock.monotonic() + this.#limit, expire: () => fail(late()) })
      if (!this.#timer) this.#wait(this.#limit)
      work.then((result) => {
        end()
        resolve(result)
      }, fail)
    })
  }

  #expireDue(): void {
    const now = this.#clock.monotonic()
    for (let next = this.#running.first; next && next.due <= now; next = this.#running.first) next.expire()
    const { first } = this.#running
    this.#timer = undefined
    if (first) this.#wait(Math.max(first.due - now, coarseness))
  }

  /** A method of its own, so that the timer keeps no reference to the first request. */
  #wait(delay: number): void {
    this.#timer = this.#clock.timer(delay, () => this.#expireDue())
  }

  #withOwnTimer<T>(work: Promise<T>, limit: number, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.timer(limit, () => reject(late()))
      work.then(resolve, reject).finally(() => timer.cancel())
    })
  }
}

function tooLate(): Error {
  return timeout('request did not complete within requested timeout - context deadline exceeded', 0)
}
