import { ApiError, badRequest, serviceUnavailable, unknown } from '../api/errors.js'
import { serverResponse } from '../api/server-response.js'
import { whenAborted } from '../base/abort.js'
import { type Link, LinkedList } from '../base/linked-list.js'
import type { BytesAnswer, StreamAnswer, TunnelAnswer, WatchAnswer, WatchEvent, WholeAnswer } from './answer.js'
import { mistakeMessage } from './answering.js'
import { type Conduct, conduct } from './conduct.js'
import type { ApiRequest } from './exchange.js'
import { ClientGone } from './serving/body.js'
import { mistake } from './writing.js'

export interface Answered {
  readonly response: WholeAnswer | WatchAnswer
  readonly warnings: ReadonlySet<string>
}

/** The front door for components in the same process: the same stages, and answers as the objects that the server holds. */
export class InProcessDoor {
  readonly #conducting: Conduct
  /** Of requests that are being worked on, watches included. */
  readonly #open = new LinkedList<AbortController>()

  constructor(conducting: Conduct) {
    this.#conducting = conducting
  }

  /** Throws an `ApiError` where the request is refused. */
  readonly answer = (given: ApiRequest): Promise<Answered> => {
    const { request, release } = this.#endable(given)
    return new Promise((resolve, reject) => {
      const conducted = conduct(this.#conducting, request, {
        deliver: (answer, { warnings }) => {
          if (answer.is === 'watch') return this.#handOnWatch(answer, { request, warnings, resolve })
          const hand = (whole: WholeAnswer) => handedOn({ response: whole, warnings }, request.method, resolve)
          return answer.is === 'stream' || answer.is === 'tunnel' ? gathered(answer).then(hand) : hand(answer)
        },
        refuse: (error) => {
          const known = this.#known(error, request)
          reject(known)
          return known.code
        },
      })
      conducted.catch(reject).finally(release)
    })
  }

  /** So that watchers do not wait for a server that goes. */
  endWatches(): void {
    for (const controller of this.#open.values()) breakOff(controller)
  }

  /** A signal of its own is only made for a request that looks at it. */
  #endable(given: ApiRequest): { readonly request: ApiRequest; readonly release: () => void } {
    let open: Link<AbortController> | undefined
    let stopListening = () => {}
    const signal = () => {
      if (open) return open.value.signal
      const made = new AbortController()
      open = this.#open.add(made)
      stopListening = whenAborted(given.signal, () => breakOff(made))
      if (given.signal.aborted) breakOff(made)
      return made.signal
    }
    const release = () => {
      stopListening()
      if (open) this.#open.remove(open)
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

  #handOnWatch(answer: WatchAnswer, { request, warnings, resolve }: HandingOn): Promise<number> {
    const { watch, ended } = followed(answer, (error) => this.#known(error, request))
    resolve({ response: watch, warnings })
    return ended
  }

  #known(error: unknown, { path }: ApiRequest): ApiError {
    if (error instanceof ApiError) return error
    if (error instanceof ClientGone) return serviceUnavailable(error.message)
    this.#conducting.environment.log.error(mistakeMessage, { error, path })
    return unknown(mistake)
  }
}

function breakOff(request: AbortController): void {
  request.abort(new ClientGone('the request was broken off before it was answered'))
}

interface HandingOn {
  readonly request: ApiRequest
  readonly warnings: ReadonlySet<string>
  readonly resolve: (answered: Answered) => void
}

/** Who asks in this process wants to have it as a whole. */
async function gathered(answer: StreamAnswer | TunnelAnswer): Promise<BytesAnswer> {
  if (answer.is === 'tunnel') {
    answer.socket.destroy()
    throw badRequest('this door leads to no other connection')
  }
  const { code, contentType, chunks } = answer
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return { is: 'bytes', code, contentType, bytes: Buffer.concat(pieces) }
}

/** Some stages refuse in plain text, as those do who have no time: that is a refusal here, too. */
function handedOn(answered: Answered, method: string, resolve: (answered: Answered) => void): number {
  const { response: answer } = answered
  const code = 'code' in answer ? answer.code : 200
  if (answer.is === 'bytes' && code >= 400)
    throw serverResponse({ code, method, serverMessage: Buffer.from(answer.bytes).toString() })
  resolve(answered)
  return code
}

/** The watch as its reader gets it, and when he, or it, has come to an end. */
function followed(
  answer: WatchAnswer,
  known: (error: unknown) => ApiError,
): { readonly watch: WatchAnswer; readonly ended: Promise<number> } {
  let end: (code: number) => void
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  async function* events(): AsyncGenerator<readonly WatchEvent[], void, undefined> {
    try {
      yield* answer.events
    } catch (error) {
      throw known(error)
    } finally {
      end(200)
    }
  }
  return { watch: { ...answer, events: events() }, ended }
}
