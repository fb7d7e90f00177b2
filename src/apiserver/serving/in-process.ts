import { ApiError, badRequest, serviceUnavailable, unknown } from '../../api/errors.js'
import { serverResponse } from '../../api/server-response.js'
import { whenAborted } from '../../base/abort.js'
import { type Link, LinkedList } from '../../base/linked-list.js'
import { handleRequest, type RequestHandlerDependencies } from '../request/handle-request.js'
import type { ApiRequest } from '../request/request-context.js'
import { internalErrorText } from '../response/encode-response.js'
import type {
  BytesResponse,
  CompleteResponse,
  EncodedEvent,
  StreamResponse,
  TunnelResponse,
  WatchResponse,
} from '../response/response.js'
import { internalErrorMessage } from '../response/send-response.js'
import { ClientGone } from './body.js'

export interface InProcessResponse {
  readonly response: CompleteResponse | WatchResponse
  readonly warnings: ReadonlySet<string>
}

/** The transport for components in this process: the same pipeline, and responses as the objects of the cache. */
export class InProcessEndpoint {
  readonly #dependencies: RequestHandlerDependencies
  /** The controllers of running requests, watches included. */
  readonly #open = new LinkedList<AbortController>()

  constructor(dependencies: RequestHandlerDependencies) {
    this.#dependencies = dependencies
  }

  /** Throws an `ApiError` if the request is rejected. */
  readonly handle = (given: ApiRequest): Promise<InProcessResponse> => {
    const { request, release } = this.#endable(given)
    return new Promise((resolve, reject) => {
      const handling = handleRequest(this.#dependencies, request, {
        send: (response, { warnings }) => {
          if (response.is === 'watch') return this.#handOnWatch(response, { request, warnings, resolve })
          const hand = (whole: CompleteResponse) => handedOn({ response: whole, warnings }, request.method, resolve)
          return response.is === 'stream' || response.is === 'tunnel' ? gathered(response).then(hand) : hand(response)
        },
        sendError: (error) => {
          const known = this.#known(error, request)
          reject(known)
          return known.code
        },
      })
      handling.catch(reject).finally(release)
    })
  }

  /** Ends all watches, so that watchers do not wait for a server that stops. */
  endWatches(): void {
    for (const controller of this.#open.values()) breakOff(controller)
  }

  /** Creates a signal only for a request that reads it. */
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
    const { method, path, query, headers, body, peer, sparseBookmarks } = given
    const request = {
      method,
      path,
      query,
      headers,
      body,
      peer,
      sparseBookmarks,
      get signal() {
        return signal()
      },
    }
    return { request, release }
  }

  #handOnWatch(response: WatchResponse, { request, warnings, resolve }: HandingOn): Promise<number> {
    const { watch, ended } = followed(response, (error) => this.#known(error, request))
    resolve({ response: watch, warnings })
    return ended
  }

  #known(error: unknown, { path }: ApiRequest): ApiError {
    if (error instanceof ApiError) return error
    if (error instanceof ClientGone) return serviceUnavailable(error.message)
    this.#dependencies.environment.log.error(internalErrorMessage, { error, path })
    return unknown(internalErrorText)
  }
}

function breakOff(request: AbortController): void {
  request.abort(new ClientGone('the request was aborted before its response'))
}

interface HandingOn {
  readonly request: ApiRequest
  readonly warnings: ReadonlySet<string>
  readonly resolve: (response: InProcessResponse) => void
}

/** Collects a stream: clients in this process get whole responses. */
async function gathered(response: StreamResponse | TunnelResponse): Promise<BytesResponse> {
  if (response.is === 'tunnel') {
    response.socket.destroy()
    throw badRequest('connections cannot be upgraded in process')
  }
  const { code, contentType, chunks } = response
  const pieces: Uint8Array[] = []
  for await (const chunk of chunks) pieces.push(chunk)
  return { is: 'bytes', code, contentType, bytes: Buffer.concat(pieces) }
}

/** Some stages reject in plain text, as flow control does: this throws such a response as an error. */
function handedOn(handed: InProcessResponse, method: string, resolve: (response: InProcessResponse) => void): number {
  const { response } = handed
  const code = 'code' in response ? response.code : 200
  if (response.is === 'bytes' && code >= 400)
    throw serverResponse({ code, method, serverMessage: Buffer.from(response.bytes).toString() })
  resolve(handed)
  return code
}

/** Returns the watch for its reader, and a promise that resolves when it ends. */
function followed(
  response: WatchResponse,
  known: (error: unknown) => ApiError,
): { readonly watch: WatchResponse; readonly ended: Promise<number> } {
  let end: (code: number) => void
  const ended = new Promise<number>((resolve) => {
    end = resolve
  })
  async function* events(): AsyncGenerator<readonly EncodedEvent[], void, undefined> {
    try {
      yield* response.events
    } catch (error) {
      throw known(error)
    } finally {
      end(200)
    }
  }
  return { watch: { ...response, events: events() }, ended }
}
