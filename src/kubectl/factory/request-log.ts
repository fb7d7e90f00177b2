import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../base/clock.js'
import { quote } from '../../schema/quote.js'
import type { SentRequest } from './request.js'

export interface RequestLogParts {
  /** From 6 on requests are told, from 7 on their headers, from 8 on bodies, cut short before 9, and from 9 on a line for curl. */
  readonly verbosity: number
  readonly clock: Clock
  readonly pid: number
  readonly write: (line: string) => void
}

/** How many characters of a body are shown at level 8. */
const shortBody = 1024

/** Tells people about each request, in the form of the log lines that they know. Credentials are never shown. */
export class RequestLog {
  readonly #parts: RequestLogParts

  constructor(parts: RequestLogParts) {
    this.#parts = parts
  }

  async timed(url: string, sent: SentRequest, dispatch: () => Promise<IncomingMessage>): Promise<IncomingMessage> {
    const { verbosity, clock } = this.#parts
    if (verbosity < 6) return dispatch()
    const begin = clock.monotonic()
    this.#request(url, sent)
    try {
      const message = await dispatch()
      const { statusCode = 0, statusMessage = '' } = message
      const headers = verbosity >= 8 ? headerLines(message) : ''
      this.#response(`${sent.method} ${url}`, `${statusCode} ${statusMessage}${headers}`, begin)
      return message
    } catch (error) {
      this.#response(`${sent.method} ${url}`, '', begin)
      throw error
    }
  }

  /** At level 8 and above. */
  body(title: string, body: Uint8Array): void {
    const { verbosity } = this.#parts
    if (verbosity < 8) return
    const text = Buffer.from(body).toString()
    const left = text.length - shortBody
    this.#line(
      `${title}: ${verbosity > 8 || left <= 0 ? text : `${text.slice(0, shortBody)} [truncated ${left} chars]`}`,
    )
  }

  #request(url: string, { method, headers, data }: SentRequest): void {
    const { verbosity } = this.#parts
    if (verbosity < 7) return
    if (data) this.body('Request Body', data)
    if (verbosity > 8) this.#line(curl(url, method, headers))
    else this.#line(`${method} ${url}`)
    this.#line('Request Headers:')
    for (const [name, value] of Object.entries(headers)) this.#line(`    ${name}: ${value}`)
  }

  #response(request: string, status: string, begin: number): void {
    const took = Math.round(this.#parts.clock.monotonic() - begin)
    this.#line(`${request} ${status} in ${took} milliseconds`)
  }

  #line(message: string): void {
    const { clock, pid, write } = this.#parts
    write(`${logHead('I', clock.now(), pid)} request-log.ts] ${message}\n`)
  }
}

function headerLines({ rawHeaders }: IncomingMessage): string {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`    ${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return `\nResponse Headers:\n${lines.join('\n')}\n`
}

function curl(url: string, method: string, headers: Readonly<Record<string, string>>): string {
  const shown = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  return `curl -v -X${method} ${shown.join(' ')} '${url}'`
}

/** `I0515 12:00:00.000000    1234`; `E` begins what went wrong. */
export function logHead(level: 'I' | 'E', now: number, pid: number): string {
  const time = new Date(now)
  const two = (value: number) => String(value).padStart(2, '0')
  const clockTime = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')
  const day = `${two(time.getMonth() + 1)}${two(time.getDate())}`
  return `${level}${day} ${clockTime}.${String(time.getMilliseconds()).padStart(3, '0')}000 ${String(pid).padStart(7)}`
}
