import type { Clock } from '../../base/clock.js'
import { keepAliveAgents, sendHttp } from '../../wire/http/http-client.js'
import type { ExtenderTls } from './settings.js'

/** Posts a request to an extender and returns the decoded response. Rejects if there is no good response in time. */
export type ExtenderTransport = (request: ExtenderRequest) => Promise<unknown>

export interface ExtenderRequest {
  readonly url: string
  readonly body: object
  /** The request may be sent again if a reused connection breaks before the response. */
  readonly isRepeatable: boolean
}

export interface ExtenderTransportOptions {
  readonly clock: Clock
  /** Milliseconds. */
  readonly timeout: number
  readonly tls?: ExtenderTls
}

/** The names of 5,000 nodes are far shorter than this, and a response need not repeat the nodes. */
const maxResponseBytes = 64 * 1024 * 1024

/** JSON over HTTP or HTTPS, with keep-alive connections. */
export function httpExtenderTransport({ clock, timeout, tls }: ExtenderTransportOptions): ExtenderTransport {
  const agent = keepAliveAgents(tls)
  return async ({ url, body, isRepeatable }) => {
    const response = await sendHttp({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      agent,
      timeout: {
        clock,
        milliseconds: timeout,
        error: () => new Error(`no response from ${url} within ${timeout} ms`),
      },
      isRepeatable,
    })
    const text = await response.text(maxResponseBytes)
    if (response.status !== 200) throw new Error(`${url} responded with status ${response.status}`)
    return parseJson(url, text)
  }
}

function parseJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`the response of ${url} is not JSON`, { cause })
  }
}
