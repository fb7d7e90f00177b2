import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import { type OutgoingClient, type OutgoingResponse, outgoingClient } from './outgoing-client.js'
import type { WebhookConfig } from './webhook-config.js'

/** Sends a review to a webhook and gives what it made of it. Rejects, in a sentence, where it makes nothing of it. */
export type WebhookClient = (review: object) => Promise<unknown>

const usualTimeout = 30_000

/** Milliseconds before another attempt; after the last one there is none. */
const delays: readonly number[] = [500, 750, 1125, 1690]

/** `timeout`, in milliseconds, is for each attempt. */
export function webhookClient(config: WebhookConfig, environment: Environment, timeout = usualTimeout): WebhookClient {
  const send = outgoingClient(config.tls)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(config.authorization !== undefined && { authorization: config.authorization }),
  }
  return async (review) => {
    const body = JSON.stringify(review)
    const attempt = () => tried(send, { url: config.url, headers, body, timeout })
    let outcome = await attempt()
    for (const delay of delays) {
      if (!isPassing(outcome)) break
      await sleep(environment.clock, delay)
      outcome = await attempt()
    }
    return parsed(outcome)
  }
}

interface Question {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeout: number
}

async function tried(send: OutgoingClient, question: Question): Promise<OutgoingResponse | Error> {
  try {
    return await send({ method: 'POST', ...question })
  } catch (error) {
    return error as Error
  }
}

/** It may work the next time. */
function isPassing(outcome: OutgoingResponse | Error): boolean {
  return outcome instanceof Error || outcome.status === 429 || outcome.status >= 500
}

function parsed(outcome: OutgoingResponse | Error): unknown {
  if (outcome instanceof Error) throw new Error(`the webhook cannot be reached: ${outcome.message}`)
  if (outcome.status < 200 || outcome.status >= 300)
    throw new Error(`the webhook answered with status ${outcome.status}`)
  try {
    return JSON.parse(outcome.text)
  } catch {
    throw new Error('the webhook answered with what is no JSON')
  }
}
