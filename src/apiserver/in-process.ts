import { ApiError, unknown } from '../api/errors.js'
import { whenAborted } from '../base/abort.js'
import type { Environment } from '../base/environment.js'
import type { Answer, WatchAnswer, WatchEvent } from './answer.js'
import { newExchange } from './answering.js'
import type { ApiRequest, Exchange } from './exchange.js'
import type { Observer } from './observation.js'
import { walk } from './pipeline.js'
import type { Stage } from './stage.js'
import { mistake } from './writing.js'

export interface Answered {
  readonly answer: Answer
  readonly warnings: ReadonlySet<string>
}

/** The front door for components in the same process: the same stages, and answers as the objects that the server holds. */
export class InProcessDoor {
  readonly #stages: readonly Stage[]
  readonly #environment: Environment
  readonly #observer: Observer
  /** Of requests that are being worked on, watches included. */
  readonly #open = new Set<AbortController>()

  constructor(stages: readonly Stage[], environment: Environment, observer: Observer) {
    this.#stages = stages
    this.#environment = environment
    this.#observer = observer
  }

  /** Throws an `ApiError` where the request is refused. */
  readonly answer = async (given: ApiRequest): Promise<Answered> => {
    const { request, release } = this.#endable(given)
    const exchange = newExchange(request, this.#environment)
    this.#observer.begin(exchange)
    let code = 200
    try {
      const walking = walk(this.#stages, exchange, this.#environment)
      if (walking) await walking
      const answer = exchange.answer!
      if (answer.is === 'watch')
        return { answer: this.#followed(answer, exchange, release), warnings: exchange.warnings }
      if ('code' in answer) code = answer.code
      return { answer, warnings: exchange.warnings }
    } catch (error) {
      const known = this.#known(error, exchange)
      code = known.code
      throw known
    } finally {
      if (exchange.answer?.is !== 'watch') {
        release()
        this.#observer.end(exchange, code)
      }
    }
  }

  /** So that watchers do not wait for a server that goes. */
  endWatches(): void {
    for (const controller of this.#open) controller.abort()
  }

  /** A signal of its own is only made for a request that looks at it. */
  #endable(given: ApiRequest): { readonly request: ApiRequest; readonly release: () => void } {
    let controller: AbortController | undefined
    let stopListening = () => {}
    const signal = () => {
      if (controller) return controller.signal
      const made = new AbortController()
      controller = made
      this.#open.add(made)
      stopListening = whenAborted(given.signal, () => made.abort())
      if (given.signal.aborted) made.abort()
      return made.signal
    }
    const release = () => {
      stopListening()
      if (controller) this.#open.delete(controller)
    }
    const { method, path, query, headers, body, peer } = given
    const request = {
      method,
      path,
      query,
      headers,
      body,
      peer,
      get signal() {
        return signal()
      },
    }
    return { request, release }
  }

  #followed(answer: WatchAnswer, exchange: Exchange, release: () => void): WatchAnswer {
    const observer = this.#observer
    observer.watching(exchange)
    const known = (error: unknown) => this.#known(error, exchange)
    async function* events(): AsyncGenerator<readonly WatchEvent[], void, undefined> {
      try {
        yield* answer.events
      } catch (error) {
        throw known(error)
      } finally {
        release()
        observer.end(exchange, 200)
      }
    }
    return { ...answer, events: events() }
  }

  #known(error: unknown, { request, id }: Exchange): ApiError {
    if (error instanceof ApiError) return error
    this.#environment.log.error('a request failed by a mistake in the server', { error, path: request.path, id })
    return unknown(mistake)
  }
}
