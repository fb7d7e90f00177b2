import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { type OutgoingClient, type OutgoingResponse, outgoingClient } from './outgoing-client.js'
import type { WebhookConfig } from './webhook-config.js'

/** Sends a review to a webhook and returns its response. Rejects with a readable message if there is none. */
export type WebhookClient = (review: object) => Promise<unknown>

const defaultTimeout = 30_000

/** Milliseconds before each further attempt. */
const delays: readonly number[] = [500, 750, 1125, 1690]

/** `timeout` is in milliseconds, for each attempt. */
export function webhookClient(
  config: WebhookConfig,
  environment: Environment,
  timeout = defaultTimeout,
): WebhookClient {
  const send = outgoingClient(config.tls)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(config.authorization !== undefined && { authorization: config.authorization }),
  }
  return async (review) => {
    const body = JSON.stringify(review)
    const attempt = () => trySend(send, { url: config.url, headers, body, timeout })
    let result = await attempt()
    for (const delay of delays) {
      if (!isTemporary(result)) break
      await sleep(environment.clock, delay)
      result = await attempt()
    }
    return parsed(result)
  }
}

interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeout: number
}

async function trySend(send: OutgoingClient, request: WebhookRequest): Promise<OutgoingResponse | Error> {
  try {
    return await send({ method: 'POST', ...request })
  } catch (error) {
    return error as Error
  }
}

/** Whether a further attempt may succeed. */
function isTemporary(result: OutgoingResponse | Error): boolean {
  return result instanceof Error || result.status === 429 || result.status >= 500
}

function parsed(result: OutgoingResponse | Error): unknown {
  if (result instanceof Error) throw new Error(`cannot reach the webhook: ${result.message}`)
  if (result.status < 200 || result.status >= 300) throw new Error(`the webhook responded with status ${result.status}`)
  try {
    return JSON.parse(result.text)
  } catch {
    throw new Error('the response of the webhook is not JSON')
  }
}
