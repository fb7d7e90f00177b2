import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In milliseconds. */
  readonly timeout: number
}

export interface IncomingAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

/** What is shown to the other side, and by what it is known; in PEM form. */
export interface OutgoingTls {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
  readonly servername?: string
  readonly insecure?: boolean
}

/** Sends a request to whomever its address names. Rejects where there is no answer; every status is one. */
export type HttpClient = (request: OutgoingRequest) => Promise<IncomingAnswer>

/** Nobody has to say more. */
const longestAnswer = 4 * 1024 * 1024

/** Connections are kept for the next request. */
export function httpsClient({ insecure = false, ...tls }: OutgoingTls = {}): HttpClient {
  const agent = new Agent({ ...tls, rejectUnauthorized: !insecure, keepAlive: true, maxSockets: 64, timeout: 90_000 })
  return (request) => send(request, agent)
}

function send({ method, url, headers = {}, body, timeout }: OutgoingRequest, agent: Agent): Promise<IncomingAnswer> {
  return new Promise((resolve, reject) => {
    const options = { method, headers: withLength(headers, body), signal: AbortSignal.timeout(timeout) }
    const isPlain = url.startsWith('http://')
    const sent = isPlain ? requestHttp(url, options) : requestHttps(url, { ...options, agent })
    sent.on('error', reject)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      let length = 0
      answer.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > longestAnswer) answer.destroy(new Error('the answer is too long'))
        else chunks.push(chunk)
      })
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    sent.end(body)
  })
}

function withLength(headers: Readonly<Record<string, string>>, body: string | undefined): Record<string, string> {
  return body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) }
}
