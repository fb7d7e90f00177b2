import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Clock } from '../../base/clock.js'
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
export function httpExtenderTransport({ clock, timeout, tls = {} }: ExtenderTransportOptions): ExtenderTransport {
  const { insecure = false, ...trust } = tls
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, rejectUnauthorized: !insecure, ...trust }),
  }
  return async (request) => {
    const { url } = request
    const abort = new AbortController()
    const expired = new Error(`no response from ${url} within ${timeout} ms`)
    const timer = clock.timer(timeout, () => abort.abort(expired))
    try {
      const { status, text } = await post(request, { agents, signal: abort.signal })
      if (status !== 200) throw new Error(`${url} responded with status ${status}`)
      return parseJson(url, text)
    } catch (error) {
      abort.signal.throwIfAborted()
      throw error
    } finally {
      timer.cancel()
    }
  }
}

function parseJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`the response of ${url} is not JSON`, { cause })
  }
}

interface PostOptions {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly signal: AbortSignal
}

interface RawResponse {
  readonly status: number
  readonly text: string
}

function post(request: ExtenderRequest, options: PostOptions): Promise<RawResponse> {
  const { url } = request
  const { agents, signal } = options
  const body = JSON.stringify(request.body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const common = { method: 'POST', headers, signal }
  return new Promise((resolve, reject) => {
    const sent = url.startsWith('http://')
      ? requestHttp(url, { ...common, agent: agents.http })
      : requestHttps(url, { ...common, agent: agents.https })
    let hasResponse = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isBroken = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (isBroken && request.isRepeatable && !hasResponse) resolve(post(request, options))
      else reject(error)
    })
    sent.on('response', (response) => {
      hasResponse = true
      readResponse(response, url).then(resolve, reject)
    })
    sent.end(body)
  })
}

async function readResponse(response: IncomingMessage, url: string): Promise<RawResponse> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > maxResponseBytes) throw new Error(`the response of ${url} is too long`)
    chunks.push(chunk)
  }
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
}
