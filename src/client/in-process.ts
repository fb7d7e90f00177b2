import type { IncomingHttpHeaders } from 'node:http'
import { whenAborted } from '../base/abort.js'
import {
  type Answer,
  type Answered,
  type BytesAnswer,
  type ClientRequest,
  type Transport,
  untilEnd,
} from './transport.js'
import { unlessAborted } from './unless-aborted.js'

/** What an API server in this process does with a request: the same as with any other, without sockets. */
export type AnswerInProcess = (request: InProcessRequest) => Promise<Answered>

/** A request as the pipeline of the API server takes it. */
export interface InProcessRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: () => Promise<{ readonly value: unknown }>
  readonly signal: AbortSignal
  readonly peer: { readonly address: string; readonly user: InProcessUser }
}

/** Who the component is: nobody asks it for a proof. */
export interface InProcessUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface InProcessOptions {
  readonly answer: AnswerInProcess
  readonly user: InProcessUser
  /** By which the server tells who owns fields. */
  readonly userAgent?: string
}

/** Hands requests to a server in this process, as values; answers are the objects that the server holds. */
export function inProcessTransport({ answer, user, userAgent = 'proa' }: InProcessOptions): Transport {
  const closing = new AbortController()
  const peer = { address: 'in-process', user }
  const send = async (request: ClientRequest, signal: AbortSignal): Promise<Answered> => {
    const { method, path, query, body, wanted } = request
    const { accept = 'application/json', contentType = 'application/json' } = request
    const headers = { accept, 'content-type': contentType, 'user-agent': userAgent }
    const value = { value: body }
    const answered = await answer({ method, path, query, headers, body: async () => value, signal, peer })
    return { ...answered, answer: as(wanted, answered.answer) }
  }
  return {
    send(request) {
      if (closing.signal.aborted) return Promise.reject(new Error('the client is closed'))
      return request.signal ? endable(request, request.signal, closing.signal, send) : send(request, closing.signal)
    },
    close: () => closing.abort(),
    sharesObjects: true,
  }
}

/** Ends with either signal; a watch goes on listening to them as long as it is open. */
async function endable(
  request: ClientRequest,
  signal: AbortSignal,
  closing: AbortSignal,
  send: (request: ClientRequest, signal: AbortSignal) => Promise<Answered>,
): Promise<Answered> {
  signal.throwIfAborted()
  const ending = new AbortController()
  const stops = [signal, closing].map((each) => whenAborted(each, () => ending.abort(each.reason)))
  const release = () => {
    for (const stop of stops) stop()
  }
  try {
    const answered = await unlessAborted(send(request, ending.signal), signal)
    const { answer } = answered
    if (answer.is === 'watch') return { ...answered, answer: { ...answer, events: untilEnd(answer.events, release) } }
    release()
    return answered
  } catch (error) {
    release()
    throw error
  }
}

/** Who asks for bytes gets them, whatever it is; anything else must be what was asked for. */
function as(wanted: Answer['is'], answer: Answer): Answer {
  if (answer.is === wanted) return answer
  if (wanted === 'bytes') return bytesOf(answer)
  throw new TypeError(`the server answered with ${answer.is}, and not with ${wanted}`)
}

function bytesOf(answer: Answer): BytesAnswer {
  if (answer.is !== 'object') throw new TypeError(`a ${answer.is} cannot be had as bytes in this process`)
  const bytes = Buffer.from(`${JSON.stringify(answer.object.object)}\n`)
  return { is: 'bytes', code: answer.code, contentType: 'application/json', bytes }
}
