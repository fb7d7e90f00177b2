import { badRequest, timeout } from '../../api/errors.js'
import type { Clock, Timer } from '../../base/clock.js'
import { DurationError, parseDuration, toMilliseconds } from '../../base/duration.js'
import { LinkedList } from '../../base/linked-list.js'
import type { PipelineStage, RequestContext } from './request-context.js'
import { isLongRunning } from './request-info.js'

interface Running {
  readonly due: number
  readonly expire: () => void
}

/** How late a client may be told, in milliseconds. One timer serves all requests that have the same limit. */
const coarseness = 500

/** Requests that are no watches and the like are answered in time, or told that they cannot be. */
export class Deadlines {
  readonly #clock: Clock
  readonly #limit: number
  /** In the order in which they are due. */
  readonly #running = new LinkedList<Running>()
  #timer: Timer | undefined

  constructor(clock: Clock, limit: number) {
    this.#clock = clock
    this.#limit = limit
  }

  /** Who asks for a time that cannot be read is refused before anything is done for him. */
  readonly stage: PipelineStage = {
    name: 'deadline',
    run: (context) => {
      if (isLongRunning(context.info)) return
      const limit = this.#limitOf(context.request.query)
      if (limit > 0) context.deadline = context.began + limit
    },
  }

  /** Settles as `work` does, or when its time is over. What it does later is of no consequence to the client. */
  within<T>(work: Promise<T>, context: RequestContext): Promise<T> {
    if (isLongRunning(context.info) || this.#limit === 0) return work
    const limit = this.#limitOf(context.request.query)
    const late = () => context.whenLate?.() ?? tooLate()
    return limit < this.#limit ? this.#soon(work, limit, late) : this.#byAll(work, late)
  }

  /** A client may be content with less. */
  #limitOf(query: URLSearchParams): number {
    const given = query.size === 0 ? '' : (query.get('timeout') ?? '')
    if (given === '') return this.#limit
    try {
      const asked = toMilliseconds(parseDuration(given))
      return asked <= 0 ? this.#limit : Math.min(asked, this.#limit)
    } catch (error) {
      throw error instanceof DurationError ? badRequest('invalid timeout specified in the request URL') : error
    }
  }

  #byAll<T>(work: Promise<T>, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = () => this.#running.remove(link)
      const refuse = (error: unknown) => {
        end()
        reject(error)
      }
      const link = this.#running.add({ due: this.#clock.monotonic() + this.#limit, expire: () => refuse(late()) })
      if (!this.#timer) this.#wait(this.#limit)
      work.then((result) => {
        end()
        resolve(result)
      }, refuse)
    })
  }

  #look(): void {
    const now = this.#clock.monotonic()
    for (let next = this.#running.first; next && next.due <= now; next = this.#running.first) next.expire()
    const { first } = this.#running
    this.#timer = undefined
    if (first) this.#wait(Math.max(first.due - now, coarseness))
  }

  /** A method of its own, so that the timer holds nothing of the request that came first. */
  #wait(delay: number): void {
    this.#timer = this.#clock.timer(delay, () => this.#look())
  }

  #soon<T>(work: Promise<T>, limit: number, late: () => Error): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = this.#clock.timer(limit, () => reject(late()))
      work.then(resolve, reject).finally(() => timer.cancel())
    })
  }
}

function tooLate(): Error {
  return timeout('request did not complete within requested timeout - context deadline exceeded', 0)
}
