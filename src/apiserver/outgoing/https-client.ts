import { request as requestHttp } from 'node:http'
import { Agent, request as requestHttps } from 'node:https'

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** In milliseconds. Who looks at the clock himself gives a signal instead. */
  readonly timeout?: number
  readonly signal?: AbortSignal
  /** It does no harm to ask twice: it is sent again where a connection that was kept breaks before there is an answer. */
  readonly isRepeatable?: boolean
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

const usualTimeout = 30_000

function send(request: OutgoingRequest, agent: Agent): Promise<IncomingAnswer> {
  const { method, url, headers = {}, body, timeout = usualTimeout } = request
  return new Promise((resolve, reject) => {
    const { signal = AbortSignal.timeout(timeout) } = request
    const options = { method, headers: withLength(headers, body), signal }
    const isPlain = url.startsWith('http://')
    const sent = isPlain ? requestHttp(url, options) : requestHttps(url, { ...options, agent })
    let isAnswered = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isLost = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (isLost && request.isRepeatable && !isAnswered) resolve(send(request, agent))
      else reject(error)
    })
    // Node tells nobody of an end that comes by this.
    sent.on('upgrade', (_answer, socket) => {
      socket.on('error', () => {})
      socket.destroy()
      reject(new Error('the other side tried to leave HTTP, which nobody had asked it for'))
    })
    sent.on('response', (answer) => {
      isAnswered = true
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
