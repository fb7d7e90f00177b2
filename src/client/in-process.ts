import type { IncomingHttpHeaders } from 'node:http'
import { unlessAborted, whenAborted } from '../base/abort.js'
import {
  type BytesResult,
  type ClientRequest,
  type ClientResponse,
  releaseAfter,
  type Transport,
  type TransportResult,
} from './transport.js'

/** Handles a request in the API server of this process, with the same pipeline as any other request, but without sockets. */
export type InProcessHandler = (request: InProcessRequest) => Promise<TransportResult>

/** A request in the form that the pipeline of the API server takes. */
export interface InProcessRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: () => Promise<{ readonly value: unknown }>
  readonly signal: AbortSignal
  readonly sparseBookmarks?: boolean | undefined
  readonly peer: { readonly address: string; readonly user: InProcessUser }
}

/** The identity of the component, which the server trusts without a proof. */
export interface InProcessUser {
  readonly name: string
  readonly uid: string
  readonly groups: readonly string[]
  readonly extra: Readonly<Record<string, readonly string[]>>
}

export interface InProcessOptions {
  readonly handle: InProcessHandler
  readonly user: InProcessUser
  /** From which the server derives the default field manager. */
  readonly userAgent?: string
}

/** Passes requests to a server in this process as values. The objects of its responses are those of the server. */
export function inProcessTransport({ handle, user, userAgent = 'proa' }: InProcessOptions): Transport {
  const closing = new AbortController()
  const peer = { address: 'in-process', user }
  const send = async (request: ClientRequest, ending: { readonly signal: AbortSignal }): Promise<TransportResult> => {
    const { method, path, query, body, responseType, sparseBookmarks } = request
    const { accept = 'application/json', contentType = 'application/json' } = request
    const headers = { accept, 'content-type': contentType, 'user-agent': userAgent }
    const value = { value: body }
    const result = await handle({
      method,
      path,
      query,
      headers,
      body: async () => value,
      get signal() {
        return ending.signal
      },
      sparseBookmarks,
      peer,
    })
    return { ...result, response: toResponseType(responseType, result.response) }
  }
  return {
    send(request) {
      if (closing.signal.aborted) return Promise.reject(new Error('the client is closed'))
      return request.signal ? endable(request, request.signal, closing.signal, send) : send(request, closing)
    },
    close: () => closing.abort(),
    sharesObjects: true,
  }
}

/** Sends a request that ends with either signal. A watch listens to both for as long as it is open. */
async function endable(
  request: ClientRequest,
  signal: AbortSignal,
  closing: AbortSignal,
  send: (request: ClientRequest, ending: { readonly signal: AbortSignal }) => Promise<TransportResult>,
): Promise<TransportResult> {
  signal.throwIfAborted()
  const ending = new EitherSignal(signal, closing)
  const release = () => ending.release()
  try {
    return releaseAfter(await unlessAborted(send(request, ending), signal), release)
  } catch (error) {
    release()
    throw error
  }
}

/** A signal that is aborted with the first of two. It is made only for a server that looks at it: for most requests it does not. */
class EitherSignal {
  readonly #sources: readonly AbortSignal[]
  #stops: readonly (() => void)[] = []
  #controller: AbortController | undefined

  constructor(...sources: readonly AbortSignal[]) {
    this.#sources = sources
  }

  get signal(): AbortSignal {
    if (this.#controller) return this.#controller.signal
    const made = new AbortController()
    this.#controller = made
    const aborted = this.#sources.find((source) => source.aborted)
    if (aborted) made.abort(aborted.reason)
    else this.#stops = this.#sources.map((source) => whenAborted(source, () => made.abort(source.reason)))
    return made.signal
  }

  release(): void {
    for (const stop of this.#stops) stop()
  }
}

/** Encodes an object if bytes are requested. Any other response must already have the requested type. */
function toResponseType(type: ClientResponse['is'], response: ClientResponse): ClientResponse {
  if (response.is === type) return response
  if (type === 'bytes') return bytesOf(response)
  throw new TypeError(`the server responded with ${response.is} instead of ${type}`)
}

function bytesOf(response: ClientResponse): BytesResult {
  if (response.is !== 'object') throw new TypeError(`a ${response.is} cannot be read as bytes in this process`)
  const bytes = Buffer.from(`${JSON.stringify(response.object.object)}\n`)
  return { is: 'bytes', code: response.code, contentType: 'application/json', bytes }
}
