import { ApiError } from '../api/errors.js'
import type { Environment } from '../base/environment.js'
import { protobufType } from '../wire/protobuf.js'
import type { Answer, StreamAnswer, WatchAnswer, WatchEvent } from './answer.js'
import { type Conduct, conduct } from './conduct.js'
import type { Exchange } from './exchange.js'
import { representationForError } from './negotiation.js'
import { spoken } from './protobuf-answers.js'
import { ClientGone } from './serving/body.js'
import type { HeaderList, RequestHandler, Responder } from './serving/responder.js'
import { warningHeaders } from './warning-headers.js'
import { errorFrame, frame } from './watch-frames.js'
import { chunkSize, errorStatus, gathered, type Written, written, writtenError } from './writing.js'

export interface Answering {
  readonly handle: RequestHandler
  /** Ends all watches, whose clients then turn to another server or come back later. */
  endWatches(): void
}

/** Takes requests from the wire through the pipeline, and their answers back. */
export function answering(conducting: Conduct): Answering {
  const watches = new Set<OpenWatch>()
  const { environment } = conducting
  return {
    handle: (request, respond) =>
      conduct(conducting, request, {
        deliver: (answer, exchange) => deliver(answer, exchange, { respond, watches, environment }),
        refuse: (error, exchange) => sendError(error, exchange, respond, environment),
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
  /** Events may still come, and nothing may be sent after the end. */
  isEnded: boolean
}

interface Wire {
  readonly respond: Responder
  readonly watches: Set<OpenWatch>
  readonly environment: Environment
}

function deliver(answer: Answer, exchange: Exchange, wire: Wire): number | Promise<number> {
  if (answer.is === 'watch') return deliverWatch(answer, exchange, wire)
  if (answer.is === 'stream') return deliverStream(answer, exchange, wire)
  if (answer.is === 'tunnel') {
    answer.socket.destroy()
    throw new Error('a connection that stays with HTTP was answered by leaving it')
  }
  const ready = written(answer, wire.environment.clock.now())
  return ready instanceof Promise
    ? ready.then((whole) => deliverWhole(whole, exchange, wire))
    : deliverWhole(ready, exchange, wire)
}

function deliverWhole(whole: Written, exchange: Exchange, { respond }: Wire): number | Promise<number> {
  const sending = send(whole, exchange, respond)
  return sending ? sending.then(() => whole.code) : whole.code
}

async function deliverWatch(answer: WatchAnswer, exchange: Exchange, wire: Wire): Promise<number> {
  const watch: OpenWatch = { respond: wire.respond, isEnded: false }
  wire.watches.add(watch)
  await sendWatch(answer, exchange, watch, wire.environment).finally(() => wire.watches.delete(watch))
  return 200
}

/** Pieces leave as they come, and none is fetched before the last one has left. */
async function deliverStream(answer: StreamAnswer, exchange: Exchange, wire: Wire): Promise<number> {
  const { respond } = wire
  const { code, contentType, headers = [], chunks } = answer
  try {
    respond.head(code, [...headersOf(exchange, contentType), ...headers], true)
  } catch (error) {
    await chunks[Symbol.asyncIterator]().return?.() // nobody will read from it
    throw error
  }
  try {
    for await (const chunk of chunks) {
      if (respond.closed) break
      if (!respond.write(chunk)) await respond.drained()
    }
  } catch (error) {
    return brokenOff(error, answer, exchange, wire)
  }
  respond.end()
  return code
}

/** Whoever leaves in the middle takes the source with him; a source that ends in the middle is not to look as if that were all. */
function brokenOff(error: unknown, { code }: StreamAnswer, { request, id }: Exchange, wire: Wire): number {
  const { respond, environment } = wire
  const isGone = respond.closed || request.signal.aborted
  respond.destroy()
  if (isGone) return clientClosedRequest
  environment.log.warn(brokenOffMessage, { error, path: request.path, id })
  return code
}

/** What the log says where the client only sees that it is not all. */
export const brokenOffMessage = 'what was handed on to a client broke off'

/** What the log says where the client only learns that something went wrong. */
export const mistakeMessage = 'a request failed by a mistake in the server'

/** For the metrics only: who has gone is told nothing. */
const clientClosedRequest = 499

async function sendError(
  error: unknown,
  exchange: Exchange,
  respond: Responder,
  { log }: Environment,
): Promise<number> {
  if (error instanceof ClientGone) {
    respond.destroy()
    return clientClosedRequest
  }
  if (!(error instanceof ApiError)) log.error(mistakeMessage, { error, path: exchange.request.path, id: exchange.id })
  if (respond.started) {
    respond.destroy() // too late to say so
    return 500
  }
  const ready = writtenError(error, representationForError(exchange.request))
  const whole = ready instanceof Promise ? await ready : ready
  const seconds = error instanceof ApiError ? error.retryAfterSeconds : undefined
  if (seconds) exchange.headers['retry-after'] = String(seconds)
  await send(whole, exchange, respond)
  return whole.code
}

function send({ code, contentType, parts }: Written, exchange: Exchange, respond: Responder): void | Promise<void> {
  const headers = headersOf(exchange, contentType)
  if (exchange.request.method === 'HEAD') return respond.whole(code, headers, nothing)
  if (parts.length === 1) return respond.whole(code, headers, parts[0]!)
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= chunkSize) return respond.whole(code, headers, Buffer.concat(parts, length))
  respond.head(code, [...headers, 'content-length', String(length)])
  return sendChunks(gathered(parts), respond)
}

async function sendChunks(chunks: Iterable<Uint8Array>, respond: Responder): Promise<void> {
  for (const chunk of chunks) {
    if (respond.closed) return
    if (!respond.write(chunk)) await respond.drained()
  }
  respond.end()
}

const nothing = new Uint8Array(0)

export function headersOf({ id, warnings, headers }: Exchange, contentType: string): HeaderList {
  const list = contentType === '' ? ['audit-id', id] : ['content-type', contentType, 'audit-id', id]
  if (!('cache-control' in headers)) list.push('cache-control', 'no-cache, private')
  if (warnings.size > 0) for (const warning of warningHeaders(warnings)) list.push('warning', warning)
  for (const name in headers) list.push(name, headers[name]!)
  return list
}

/**
 * Sends events as they come. The next batch is only asked for when the last one has left: nothing piles up for who reads slowly,
 * and who is left behind by all that the store remembers is told so by the watch itself.
 */
async function sendWatch(
  given: WatchAnswer,
  exchange: Exchange,
  watch: OpenWatch,
  environment: Environment,
): Promise<void> {
  const { respond } = watch
  const representation = spoken(given.representation, given.type)
  const answer = { ...given, representation }
  respond.head(200, headersOf(exchange, watchTypes[representation.media]))
  const encode = frame(answer, environment.clock)
  try {
    for await (const events of answer.events) {
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
  events: readonly WatchEvent[],
  encode: (event: WatchEvent) => Uint8Array,
  watch: OpenWatch,
): Promise<void> | undefined {
  if (events.length !== 1) return writeInPieces(events, encode, watch)
  const { respond } = watch
  return respond.write(encode(events[0]!)) ? undefined : respond.drained()
}

/** The start of a watch may be as large as a list: of that, too, no more is put together than the client takes. */
async function writeInPieces(
  events: readonly WatchEvent[],
  encode: (event: WatchEvent) => Uint8Array,
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
