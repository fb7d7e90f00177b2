import type { ClientRequest as HttpRequest, IncomingMessage } from 'node:http'
import { whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'
import type { Credential } from '../credentials/credential.js'
import { type Impersonation, impersonationHeaders } from '../credentials/impersonation.js'
import { type ClientRequest, ConnectionLostError, type TransportResult } from '../transport.js'
import { type Connections, closedError } from './https-connections.js'
import { guardIdle } from './idle-guard.js'
import { readAnswer } from './response-reader.js'
import { warningsOf } from './warnings.js'

export interface ExchangeParts {
  readonly connections: Connections
  readonly clock: Clock
  /** Milliseconds of silence after which the other side counts as gone; while a watch is open, silence is nothing. */
  readonly idleTimeout: number
  readonly userAgent: string
  readonly compress: boolean
  readonly impersonate?: Impersonation | undefined
}

/** An answer of which the head is there. */
export interface Received {
  readonly code: number
  /** Reads the rest of it. */
  read(): Promise<TransportResult>
  /** Nobody wants the rest: the connection is free for the next request. */
  skip(): void
}

/**
 * Sends a request, and resolves when the head of the answer is there. One that only reads is sent again at once where the server had
 * closed a kept connection just as it was taken.
 */
export async function exchange(
  request: ClientRequest,
  credential: Credential,
  parts: ExchangeParts,
): Promise<Received> {
  const data = request.body === undefined ? undefined : Buffer.from(JSON.stringify(request.body))
  for (;;) {
    const headers = headersOf(request, parts, credential, data)
    const options = { method: request.method, headers }
    const sent = parts.connections.open(targetOf(request), options, credential.certificate)
    try {
      return await received(request, sent, data, parts)
    } catch (error) {
      const isStale = sent.reusedSocket && request.method === 'GET' && !parts.connections.isClosed
      if (!(isStale && error instanceof ConnectionLostError)) throw error
    }
  }
}

function targetOf({ path, query }: ClientRequest): string {
  const search = query.size === 0 ? '' : `?${query}`
  return `${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}${search}`
}

function headersOf(request: ClientRequest, parts: ExchangeParts, { authorization }: Credential, data?: Buffer) {
  const { accept = 'application/json', contentType = 'application/json' } = request
  const { userAgent, compress, impersonate } = parts
  return {
    accept,
    'user-agent': userAgent,
    ...(compress && { 'accept-encoding': 'gzip' }),
    ...(authorization !== undefined && { authorization }),
    ...(impersonate && impersonationHeaders(impersonate)),
    ...(data && { 'content-type': contentType, 'content-length': data.length }),
  }
}

async function received(
  request: ClientRequest,
  sent: HttpRequest,
  data: Buffer | undefined,
  { clock, idleTimeout, connections }: ExchangeParts,
): Promise<Received> {
  const { signal, responseType: wanted } = request
  let silence: ConnectionLostError | undefined
  const guard = guardIdle(clock, idleTimeout, () => {
    silence = new ConnectionLostError(`the server has said nothing for ${idleTimeout / 1000} seconds`)
    sent.destroy(silence)
  })
  const stopListening = whenAborted(signal, () => sent.destroy())
  sent.once('close', () => {
    guard.release()
    stopListening()
  })
  const isOver = () => signal?.aborted === true || connections.isClosed
  const reasonFor = (error: unknown) => {
    if (signal?.aborted) return signal.reason
    return connections.isClosed ? closedError() : (silence ?? error)
  }
  const message = await headOf(sent, data).catch((error: unknown) => {
    throw reasonFor(asLost(error))
  })
  if (wanted === 'watch') guard.release()
  return {
    code: message.statusCode ?? 0,
    skip: () => message.resume(),
    read: async () => {
      try {
        const answer = await readAnswer(request, message, { isOver, happened: guard.happened })
        return { response: answer, warnings: warningsOf(message) }
      } catch (error) {
        throw reasonFor(error)
      }
    },
  }
}

function headOf(sent: HttpRequest, data: Buffer | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.on('response', resolve)
    sent.on('error', reject)
    sent.end(data)
  })
}

const resets = ['ECONNRESET', 'EPIPE']

function asLost(error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  return resets.includes(code) ? new ConnectionLostError(message, { cause: error }) : error
}
