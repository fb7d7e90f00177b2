import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import type { Clock } from '../../base/clock.js'
import type { ExtenderTls } from './settings.js'

/** Sends something to an extender and gives what it answers. Rejects if there is no good answer in time. */
export type ExtenderTransport = (question: ExtenderRequest) => Promise<unknown>

export interface ExtenderRequest {
  readonly url: string
  readonly body: object
  /** It does no harm to ask twice: it is asked again where a connection that was kept breaks before there is an answer. */
  readonly isRepeatable: boolean
}

export interface ExtenderTransportOptions {
  readonly clock: Clock
  /** Milliseconds. */
  readonly timeout: number
  readonly tls?: ExtenderTls
}

/** Names of 5,000 nodes are no more than this, and nodes themselves need not be said again. */
const longestAnswer = 64 * 1024 * 1024

/** As JSON, over HTTP or HTTPS as the address says. Connections are kept for the next time. */
export function httpExtenderTransport({ clock, timeout, tls = {} }: ExtenderTransportOptions): ExtenderTransport {
  const { insecure = false, ...trust } = tls
  const agents = {
    http: new HttpAgent({ keepAlive: true }),
    https: new HttpsAgent({ keepAlive: true, rejectUnauthorized: !insecure, ...trust }),
  }
  return async (question) => {
    const { url } = question
    const giveUp = new AbortController()
    const why = new Error(`there was no answer from ${url} within ${timeout} ms`)
    const timer = clock.timer(timeout, () => giveUp.abort(why))
    try {
      const { status, text } = await post(question, { agents, signal: giveUp.signal })
      if (status !== 200) throw new Error(`${url} answered with status ${status}`)
      return parsed(url, text)
    } catch (error) {
      giveUp.signal.throwIfAborted()
      throw error
    } finally {
      timer.cancel()
    }
  }
}

function parsed(url: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${url} answered with what is no JSON`, { cause })
  }
}

interface Way {
  readonly agents: { readonly http: HttpAgent; readonly https: HttpsAgent }
  readonly signal: AbortSignal
}

interface Received {
  readonly status: number
  readonly text: string
}

function post(question: ExtenderRequest, way: Way): Promise<Received> {
  const { url } = question
  const { agents, signal } = way
  const body = JSON.stringify(question.body)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const options = { method: 'POST', headers, signal }
  return new Promise((resolve, reject) => {
    const sent = url.startsWith('http://')
      ? requestHttp(url, { ...options, agent: agents.http })
      : requestHttps(url, { ...options, agent: agents.https })
    let isAnswered = false
    sent.on('error', (error: NodeJS.ErrnoException) => {
      const isLost = sent.reusedSocket && (error.code === 'ECONNRESET' || error.code === 'EPIPE')
      if (isLost && question.isRepeatable && !isAnswered) resolve(post(question, way))
      else reject(error)
    })
    sent.on('response', (answer) => {
      isAnswered = true
      received(answer, url).then(resolve, reject)
    })
    sent.end(body)
  })
}

async function received(answer: IncomingMessage, url: string): Promise<Received> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > longestAnswer) throw new Error(`the answer of ${url} is too long`)
    chunks.push(chunk)
  }
  return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() }
}
