import type { Clock } from '../../base/clock.js'
import { quote } from '../../schema/quote.js'
import type { HttpResponse } from '../../wire/http/http-response.js'
import type { SentRequest } from './request.js'

export interface RequestLogOptions {
  /** From 6 it logs requests, from 7 their headers, from 8 bodies (truncated below 9), and from 9 a curl command. */
  readonly verbosity: number
  readonly clock: Clock
  readonly pid: number
  readonly write: (line: string) => void
}

/** Characters of a body that are shown at level 8. */
const shortBody = 1024

/** Logs each request for the user, in the format of klog. Credentials are never logged. */
export class RequestLog {
  readonly #options: RequestLogOptions

  constructor(options: RequestLogOptions) {
    this.#options = options
  }

  async timed(url: string, sent: SentRequest, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    const { verbosity, clock } = this.#options
    if (verbosity < 6) return send()
    const begin = clock.monotonic()
    this.#request(url, sent)
    try {
      const response = await send()
      const headers = verbosity >= 8 ? headerLines(response) : ''
      this.#response(`${sent.method} ${url}`, `${response.status} ${response.statusText}${headers}`, begin)
      return response
    } catch (error) {
      this.#response(`${sent.method} ${url}`, '', begin)
      throw error
    }
  }

  /** Logs a body at level 8 and above. */
  body(title: string, body: Uint8Array): void {
    const { verbosity } = this.#options
    if (verbosity < 8) return
    const text = Buffer.from(body).toString()
    const left = text.length - shortBody
    this.#line(
      `${title}: ${verbosity > 8 || left <= 0 ? text : `${text.slice(0, shortBody)} [truncated ${left} chars]`}`,
    )
  }

  #request(url: string, { method, headers, data }: SentRequest): void {
    const { verbosity } = this.#options
    if (verbosity < 7) return
    if (data) this.body('Request Body', data)
    if (verbosity > 8) this.#line(curl(url, method, headers))
    else this.#line(`${method} ${url}`)
    this.#line('Request Headers:')
    for (const [name, value] of Object.entries(headers)) this.#line(`    ${name}: ${value}`)
  }

  #response(request: string, status: string, begin: number): void {
    const took = Math.round(this.#options.clock.monotonic() - begin)
    this.#line(`${request} ${status} in ${took} milliseconds`)
  }

  #line(message: string): void {
    const { clock, pid, write } = this.#options
    write(`${logHead('I', clock.now(), pid)} request-log.ts] ${message}\n`)
  }
}

function headerLines({ rawHeaders }: HttpResponse): string {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`    ${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `\nResponse Headers:\n${lines.join('\n')}\n`
}

function curl(url: string, method: string, headers: Readonly<Record<string, string>>): string {
  const shown = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return `curl -v -X${method} ${shown.join(' ')} '${url}'`
}

/** `I0515 12:00:00.000000    1234`; `E` for errors. */
export function logHead(level: 'I' | 'E', now: number, pid: number): string {
  const time = new Date(now)
  const two = (value: number) => String(value).padStart(2, '0')
  const clockTime = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
  const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`
  return `${level}${day} ${clockTime}.${String(time.getMilliseconds()).padStart(3, '0')}000 ${String(pid).padStart(7)}`
}
