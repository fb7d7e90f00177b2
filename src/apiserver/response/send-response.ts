import { ApiError } from '../../api/errors.js'
import type { Environment } from '../../base/environment.js'
import { protobufType } from '../../wire/protobuf.js'
import { handleRequest, type TransportDependencies } from '../request/handle-request.js'
import type { RequestContext } from '../request/request-context.js'
import { ClientGone } from '../serving/body.js'
import type { HeaderList, RequestHandler, Responder } from '../serving/responder.js'
import {
  chunkSize,
  chunksOf,
  type EncodedResponse,
  encodeError,
  encodeResponse,
  errorStatus,
} from './encode-response.js'
import { representationForError } from './negotiation.js'
import type { ObjectEncoder } from './object-encoder.js'
import { spokenRepresentation } from './protobuf.js'
import type { ApiResponse, EncodedEvent, StreamResponse, WatchResponse } from './response.js'
import { warningHeaders } from './warning-headers.js'
import { errorFrame, eventEncoder } from './watch-frames.js'

export interface HttpHandler {
  readonly handle: RequestHandler
  /** Ends all watches. Their clients then connect to another server, or reconnect later. */
  endWatches(): void
}

/** Returns the handler of HTTP requests: it runs each through the pipeline and sends the response. */
export function httpHandler(dependencies: TransportDependencies): HttpHandler {
  const watches = new Set<OpenWatch>()
  const { environment, encoder } = dependencies
  return {
    handle: (request, respond) =>
      handleRequest(dependencies, request, {
        send: (response, context) => sendAny(response, context, { respond, watches, environment, encoder }),
        sendError: (error, context) => sendError(error, context, respond, environment),
      }),
    endWatches() {
      for (const watch of watches) {
        watch.isEnded = true
        watch.respond.end()
      }
    },
  }
}

interface OpenWatch {
  readonly respond: Responder
  /** Set before the response ends: events that come later must not be sent. */
  isEnded: boolean
}

interface Wire {
  readonly respond: Responder
  readonly watches: Set<OpenWatch>
  readonly environment: Environment
  readonly encoder: ObjectEncoder
}

function sendAny(response: ApiResponse, context: RequestContext, wire: Wire): number | Promise<number> {
  if (response.is === 'watch') return openWatch(response, context, wire)
  if (response.is === 'stream') return sendStream(response, context, wire)
  if (response.is === 'tunnel') {
    response.socket.destroy()
    throw new Error('a request without an upgrade got a tunnel as its response')
  }
  const ready = encodeResponse(response, { encoder: wire.encoder, now: wire.environment.clock.now() })
  return ready instanceof Promise
    ? ready.then((whole) => sendComplete(whole, context, wire))
    : sendComplete(ready, context, wire)
}

function sendComplete(whole: EncodedResponse, context: RequestContext, { respond }: Wire): number | Promise<number> {
  const sending = send(whole, context, respond)
  return sending ? sending.then(() => whole.code) : whole.code
}

async function openWatch(response: WatchResponse, context: RequestContext, wire: Wire): Promise<number> {
  const watch: OpenWatch = { respond: wire.respond, isEnded: false }
  wire.watches.add(watch)
  await sendWatch(response, context, watch, wire).finally(() => wire.watches.delete(watch))
  return 200
}

/** Sends chunks as they come. Does not request the next chunk before the last one has been sent. */
async function sendStream(response: StreamResponse, context: RequestContext, wire: Wire): Promise<number> {
  const { respond } = wire
  const { code, contentType, headers = [], chunks } = response
  try {
    respond.head(code, [...responseHeaders(context, contentType), ...headers], true)
  } catch (error) {
    await chunks[Symbol.asyncIterator]().return?.() // releases the source: nothing will read from it
    throw error
  }
  try {
    for await (const chunk of chunks) {
      if (respond.closed) break
      if (!respond.write(chunk)) await respond.drained()
    }
  } catch (error) {
    return endBroken(error, response, context, wire)
  }
  respond.end()
  return code
}

/** Cuts the connection, so that the client sees that the response is incomplete. Logs it, unless it was the client that disconnected. */
function endBroken(error: unknown, { code }: StreamResponse, { request, id }: RequestContext, wire: Wire): number {
  const { respond, environment } = wire
  const isGone = respond.closed || request.signal.aborted
  respond.destroy()
  if (isGone) return clientClosedRequest
  environment.log.warn(streamBrokenMessage, { error, path: request.path, id })
  return code
}

/** The log message for a stream that failed after the response had started. */
export const streamBrokenMessage = 'response stream broken'

/** The log message for an internal error: the client gets no details. */
export const internalErrorMessage = 'request failed with an internal error'

/** Only for metrics: a client that has disconnected gets no response. */
const clientClosedRequest = 499

async function sendError(
  error: unknown,
  context: RequestContext,
  respond: Responder,
  { log }: Environment,
): Promise<number> {
  if (error instanceof ClientGone) {
    respond.destroy()
    return clientClosedRequest
  }
  if (!(error instanceof ApiError))
    log.error(internalErrorMessage, { error, path: context.request.path, id: context.id })
  if (respond.started) {
    respond.destroy() // the status has been sent
    return 500
  }
  const ready = encodeError(error, representationForError(context.request))
  const whole = ready instanceof Promise ? await ready : ready
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (seconds) context.headers['retry-after'] = String(seconds)
  await send(whole, context, respond)
  return whole.code
}

function send(
  { code, contentType, parts }: EncodedResponse,
  context: RequestContext,
  respond: Responder,
): void | Promise<void> {
  const headers = responseHeaders(context, contentType)
  if (context.request.method === 'HEAD') return respond.whole(code, headers, nothing)
  if (parts.length === 1) return respond.whole(code, headers, parts[0]!)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= chunkSize) return respond.whole(code, headers, Buffer.concat(parts, length))
  respond.head(code, [...headers, 'content-length', String(length)])
  return sendChunks(chunksOf(parts), respond)
}

async function sendChunks(chunks: Iterable<Uint8Array>, respond: Responder): Promise<void> {
  for (const chunk of chunks) {
    if (respond.closed) return
    if (!respond.write(chunk)) await respond.drained()
  }
  respond.end()
}

const nothing = new Uint8Array(0)

export function responseHeaders({ id, warnings, headers }: RequestContext, contentType: string): HeaderList {
  const list = contentType === '' ? ['audit-id', id] : ['content-type', contentType, 'audit-id', id]
  if (!('cache-control' in headers)) list.push('cache-control', 'no-cache, private')
  if (warnings.size > 0) for (const warning of warningHeaders(warnings)) list.push('warning', warning)
  for (const name in headers) list.push(name, headers[name]!)
  return list
}

/**
 * Sends events as they come. Requests the next batch only when the last one has been sent, so that nothing accumulates for a slow client. A
 * client that falls behind the history of the store gets an error from the watch itself.
 */
async function sendWatch(
  given: WatchResponse,
  context: RequestContext,
  watch: OpenWatch,
  { environment, encoder }: Wire,
): Promise<void> {
  const { respond } = watch
  const representation = spokenRepresentation(given.representation, given.type)
  const response = { ...given, representation }
  respond.head(200, responseHeaders(context, watchTypes[representation.media]))
  const encode = eventEncoder(response, { encoder, clock: environment.clock })
  try {
    for await (const events of response.events) {
      if (watch.isEnded || respond.closed) return
      const writing = writeAll(events, encode, watch)
      if (writing) await writing
    }
  } catch (error) {
    if (watch.isEnded || respond.closed) return
    const { status } = errorStatus(error)
    respond.write(errorFrame(representation, status))
  }
  if (!watch.isEnded) respond.end()
}

const watchTypes = {
  json: 'application/json',
  yaml: 'application/yaml;stream=watch',
  protobuf: `${protobufType};stream=watch`,
}

function writeAll(
  events: readonly EncodedEvent[],
  encode: (event: EncodedEvent) => Uint8Array,
  watch: OpenWatch,
): Promise<void> | undefined {
  if (events.length !== 1) return writeInPieces(events, encode, watch)
  const { respond } = watch
  return respond.write(encode(events[0]!)) ? undefined : respond.drained()
}

/** The initial events of a watch may be as large as a list: they too are joined only as fast as the client reads. */
async function writeInPieces(
  events: readonly EncodedEvent[],
  encode: (event: EncodedEvent) => Uint8Array,
  watch: OpenWatch,
): Promise<void> {
  const { respond } = watch
  let frames: Uint8Array[] = []
  let size = 0
  for (const [index, event] of events.entries()) {
    const bytes = encode(event)
    frames.push(bytes)
    size += bytes.length
    if (size < chunkSize && index < events.length - 1) continue
    if (watch.isEnded || respond.closed) return
    if (!respond.write(Buffer.concat(frames, size))) await respond.drained()
    frames = []
    size = 0
  }
}
