import type { ApiError } from '../../../api/errors.js'
import { serverResponse } from '../../../api/server-response.js'
import { whenAborted } from '../../../base/abort.js'
import { type Clock, sleep } from '../../../base/clock.js'
import type { OutgoingResponse } from '../../outgoing/outgoing-client.js'
import { failureIn } from './read-response.js'
import { transportText } from './transport-errors.js'
import type { AdmissionWebhookClient } from './webhook-clients.js'

/** The time limit of a call, and the signal that ends it earlier. */
export interface WebhookCallLimits {
  readonly clock: Clock
  /** In milliseconds. */
  readonly limit: number
  /** Aborted when the client of the request has gone. */
  readonly gone: AbortSignal | undefined
}

/** There is no readable response. */
export class WebhookTransportError extends Error {
  override readonly name = 'WebhookTransportError'
  readonly code: number

  constructor(message: string, code = 503) {
    super(message)
    this.code = code
  }
}

const deadlineExceeded = 'context deadline exceeded'
const canceled = 'context canceled'

/** Upper bound of attempts if the webhook sends `Retry-After`. */
const maxAttempts = 11

/** Sends a review and returns the body of the response. Throws a `WebhookTransportError`. */
export async function callWebhook(
  client: AdmissionWebhookClient,
  review: object,
  limits: WebhookCallLimits,
): Promise<Buffer> {
  const controller = new AbortController()
  const timer = limits.clock.timer(limits.limit, () => controller.abort(deadlineExceeded))
  const stopListening = whenAborted(limits.gone, () => controller.abort(canceled))
  if (limits.gone?.aborted) controller.abort(canceled)
  try {
    return bodyOf(await sendWithRetries(client, JSON.stringify(review), limits, controller.signal))
  } finally {
    timer.cancel()
    stopListening()
  }
}

async function sendWithRetries(
  client: AdmissionWebhookClient,
  body: string,
  { clock, limit }: WebhookCallLimits,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const query = `?timeout=${Math.max(Math.ceil(limit / 1000), 1)}s`
  try {
    for (let attempt = 1; ; attempt++) {
      const url = `${await client.address()}${query}`
      const { headers } = client
      const response = await client.send({ method: 'POST', url, headers, body, signal, isRepeatable: true })
      const seconds = attempt < maxAttempts ? retryAfter(response) : undefined
      if (seconds === undefined) return response
      await sleep(clock, seconds * 1000, signal)
    }
  } catch (error) {
    const cause = signal.aborted ? new Error(String(signal.reason)) : error
    throw new WebhookTransportError(transportText(cause, `${client.url}${query}`))
  }
}

/** Returns the seconds of `Retry-After`, if the response has it. */
function retryAfter({ status, headers }: OutgoingResponse): number | undefined {
  const seconds = headers['retry-after']
  const isBusy = status === 429 || status >= 500
  return isBusy && typeof seconds === 'string' && /^[0-9]+$/.test(seconds) ? Number(seconds) : undefined
}

function bodyOf({ status, headers, text }: OutgoingResponse): Buffer {
  const body = Buffer.from(text)
  const type = String(headers['content-type'] ?? '')
  if (status < 200 || status > 206) throw responseError(status, type, body)
  if (body.length === 0)
    throw new WebhookTransportError(
      `0-length response with status code: ${status} and content type: ${type || 'application/json'}`,
    )
  return body
}

/** Upper bound of text in an error message. */
const maxMessageBytes = 2048

/** Prefers a status in the body; otherwise quotes the body if it is text. */
function responseError(code: number, type: string, body: Buffer): WebhookTransportError {
  const status = failureIn(body)
  if (status) return new WebhookTransportError(status.message ?? '', status.code ?? code)
  const isText = type === '' || type.trimStart().startsWith('text/')
  const serverMessage = isText ? body.subarray(0, maxMessageBytes).toString().trim() : 'unknown'
  const error: ApiError = serverResponse({ code, method: 'POST', serverMessage, unexpected: true })
  return new WebhookTransportError(error.message, code)
}
