import { isIP } from 'node:net'
import type { HTTPGetAction } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Clock } from '../../base/clock.js'
import { quote } from '../../schema/quote.js'
import { sendHttp, UnexpectedUpgradeError } from '../../wire/http/http-client.js'
import type { HttpResponse } from '../../wire/http/http-response.js'
import { dialWords, endpoint } from '../../wire/network-words.js'
import { containerPort } from './container-port.js'
import { longestOutput } from './probe-result.js'

/** One GET, as a probe or a hook describes it. */
export interface HttpGet {
  /** `http://10.0.0.7:8080/healthz` */
  readonly url: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
}

export interface HttpGetOptions {
  readonly clock: Clock
  /** In milliseconds; none if it is left out. */
  readonly timeout?: number
  readonly signal?: AbortSignal | undefined
}

export interface HttpGetResponse {
  readonly code: number
  /** As much of it as anybody needs. */
  readonly body: string
}

/** The answer began, and its rest did not come. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** `agent` is `probe` or `lifecycle`. Throws where the port means nothing. */
export function httpGetOf(
  action: HTTPGetAction,
  { container, address, agent }: { readonly container: Container; readonly address: string; readonly agent: string },
): HttpGet {
  const { host, port, path = '', scheme = 'HTTP', httpHeaders = [] } = action
  const place = endpoint(host || address, containerPort(port, container))
  const url = `${scheme.toLowerCase()}://${place}${pathOf(path)}`
  return { url, headers: headersOf(httpHeaders, agent) }
}

function pathOf(path: string): string {
  const [beforeFragment = ''] = path.split('#')
  const rooted = beforeFragment.startsWith('/') || beforeFragment === '' ? beforeFragment : `/${beforeFragment}`
  return rooted.replace(/[^\x21-\x7e]/gu, encodeURIComponent)
}

/** What a pod says about these two wins; an empty `Accept` is none. */
function headersOf(given: NonNullable<HTTPGetAction['httpHeaders']>, agent: string): HttpGet['headers'] {
  const headers = new Map<string, readonly [name: string, values: readonly string[]]>()
  for (const { name, value } of given) {
    const [known, values] = headers.get(name.toLowerCase()) ?? [name, []]
    headers.set(name.toLowerCase(), [known, [...values, value]])
  }
  if (!headers.has('user-agent')) headers.set('user-agent', ['User-Agent', [`kube-${agent}/1.36`]])
  const accept = headers.get('accept')
  if (!accept) headers.set('accept', ['Accept', ['*/*']])
  else if (accept[1][0] === '') headers.delete('accept')
  return Object.fromEntries(headers.values())
}

const redirectCodes = new Set([301, 302, 303, 307, 308])
const maxRedirects = 10

/**
 * Asks, and follows redirects for as long as they lead to the same host: another one has nothing to do with the container. Certificates
 * are not verified. Rejects with Go's words, or with a `BodyError`.
 */
export async function httpGet(get: HttpGet, options: HttpGetOptions): Promise<HttpGetResponse> {
  const attempt = new Attempt(options)
  const first = new URL(get.url).hostname
  let url = get.url
  try {
    for (let redirects = 0; ; redirects++) {
      const response = await attempt.send(url, get.headers)
      try {
        const next = redirectCodes.has(response.status) ? destination(response, url) : undefined
        if (next === undefined || next.hostname !== first)
          return { code: response.status, body: await attempt.body(response) }
        if (redirects === maxRedirects - 1) throw new Error('stopped after 10 redirects')
        url = next.href
      } finally {
        response.body.destroy()
      }
    }
  } catch (error) {
    if (error instanceof BodyError) throw error
    if (error instanceof UnexpectedUpgradeError) return { code: 101, body: '' } // a response like any other, and an empty one
    throw new Error(`Get ${quote(url)}: ${(error as Error).message}`, { cause: error })
  } finally {
    attempt.end()
  }
}

function destination({ headers }: HttpResponse, from: string): URL | undefined {
  return headers.location === undefined ? undefined : new URL(headers.location, from)
}

/** As it is written: nothing in it is resolved. */
function pathIn(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/, '')
  return path.startsWith('/') ? path : `/${path}`
}

/** All that has to be done before one time limit. */
class Attempt {
  readonly #over = new AbortController()
  readonly #signal: AbortSignal
  readonly #timer: { cancel(): void } | undefined

  constructor({ clock, timeout, signal }: HttpGetOptions) {
    this.#timer = timeout === undefined ? undefined : clock.timer(timeout, () => this.#over.abort())
    this.#signal = signal ? AbortSignal.any([signal, this.#over.signal]) : this.#over.signal
  }

  async send(url: string, headers: HttpGet['headers']): Promise<HttpResponse> {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
    try {
      return await sendHttp({
        url,
        target: pathIn(url),
        headers: headers as Record<string, string[]>,
        signals: [this.#signal],
        tls: { insecure: true, servername: isIP(host) ? '' : host },
      })
    } catch (error) {
      if (error instanceof UnexpectedUpgradeError) throw error
      throw new Error(this.#words(error as Error), { cause: error })
    }
  }

  async body(response: HttpResponse): Promise<string> {
    try {
      return (await response.prefix(longestOutput)).toString()
    } catch (error) {
      throw new BodyError(this.#bodyWords(error as Error), { cause: error })
    }
  }

  end(): void {
    this.#timer?.cancel()
  }

  #words(error: Error): string {
    if (this.#over.signal.aborted) return 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'
    return this.#signal.aborted ? 'context canceled' : dialWords(error)
  }

  #bodyWords(error: Error): string {
    if (this.#over.signal.aborted)
      return 'context deadline exceeded (Client.Timeout or context cancellation while reading body)'
    return error.message === 'aborted' ? 'unexpected EOF' : dialWords(error)
  }
}
