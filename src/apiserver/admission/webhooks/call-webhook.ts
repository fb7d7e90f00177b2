import type { ApiError } from '../../../api/errors.js'
import { serverResponse } from '../../../api/server-response.js'
import { whenAborted } from '../../../base/abort.js'
import { type Clock, sleep } from '../../../base/clock.js'
import type { OutgoingResponse } from '../../outgoing/outgoing-client.js'
import { failureIn } from './read-response.js'
import { transportText } from './transport-errors.js'
import type { AdmissionWebhookClient } from './webhook-clients.js'

/** How long somebody may take, and who may end it before. */
export interface WebhookCallLimits {
  readonly clock: Clock
  /** In milliseconds. */
  readonly limit: number
  /** The client of the request that all this is for. */
  readonly gone: AbortSignal | undefined
}

/** There is no answer that could be read. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: number

  constructor(message: string, code = 503) {
    super(message)
    this.code = code
  }
}

const deadlineExceeded = 'context deadline exceeded'
const canceled = 'context canceled'

/** How often who asks for patience is asked again. */
const mostAttempts = 11

/** Sends a review and gives the body of the answer. Throws a `NoAnswer`. */
export async function askWebhook(
  client: AdmissionWebhookClient,
  review: object,
  limits: WebhookCallLimits,
): Promise<Buffer> {
  const controller = new AbortController()
  const timer = limits.clock.timer(limits.limit, () => controller.abort(deadlineExceeded))
  const stopListening = whenAborted(limits.gone, () => controller.abort(canceled))
  if (limits.gone?.aborted) controller.abort(canceled)
  try {
    return bodyOf(await answered(client, JSON.stringify(review), limits, controller.signal))
  } finally {
    timer.cancel()
    stopListening()
  }
}

async function answered(
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
      const answer = await client.send({ method: 'POST', url, headers, body, signal, isRepeatable: true })
      const patience = attempt < mostAttempts ? patienceAsked(answer) : undefined
      if (patience === undefined) return answer
      await sleep(clock, patience * 1000, signal)
    }
  } catch (error) {
    const cause = signal.aborted ? new Error(String(signal.reason)) : error
    throw new NoAnswer(transportText(cause, `${client.url}${query}`))
  }
}

/** For how many seconds the other side asks to be left alone before it is asked again. */
function patienceAsked({ status, headers }: OutgoingResponse): number | undefined {
  const seconds = headers['retry-after']
  const isBusy = status === 429 || status >= 500
  return isBusy && typeof seconds === 'string' && /^[0-9]+$/.test(seconds) ? Number(seconds) : undefined
}

function bodyOf({ status, headers, text }: OutgoingResponse): Buffer {
  const body = Buffer.from(text)
  const type = String(headers['content-type'] ?? '')
  if (status < 200 || status > 206) throw failed(status, type, body)
  if (body.length === 0)
    throw new NoAnswer(`0-length response with status code: ${status} and content type: ${type || 'application/json'}`)
  return body
}

/** So much of a text is told to who asked. */
const mostToldBytes = 2048

/** A status in the body says more than the code; text is told, and anything else is not. */
function failed(code: number, type: string, body: Buffer): NoAnswer {
  const status = failureIn(body)
  if (status) return new NoAnswer(status.message ?? '', status.code ?? code)
  const isText = type === '' || type.trimStart().startsWith('text/')
  const serverMessage = isText ? body.subarray(0, mostToldBytes).toString().trim() : 'unknown'
  const error: ApiError = serverResponse({ code, method: 'POST', serverMessage, unexpected: true })
  return new NoAnswer(error.message, code)
}
