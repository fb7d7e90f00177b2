import { Agent, request as httpsRequest } from 'node:https'
import type { JsonValue } from '../../schema/declaration.js'
import type { RecordedRequest } from './recording.js'

export interface RequestServer {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly token: string
}

export interface ReceivedResponse {
  readonly status: number
  readonly warning?: string | undefined
  readonly contentType?: string | undefined
  /** JSON if it is that, text otherwise. */
  readonly body: JsonValue
}

/** Sends what the scenarios describe, over TLS, as any client would. */
export class Requests {
  readonly #target: RequestServer
  readonly #agent = new Agent({ keepAlive: true, rejectUnauthorized: false, maxSockets: 32 })

  constructor(target: RequestServer) {
    this.#target = target
  }

  /** A watch that should have been refused, as `wantedStatus` says, and was not, is not read: it need not end. */
  send(recorded: RecordedRequest, wantedStatus = 200): Promise<ReceivedResponse> {
    const { method = 'GET', path = '/', body } = recorded
    const data = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const headers = this.#headers(recorded, data)
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(`${this.#target.server}${path}`, { method, agent: this.#agent, headers }, (message) => {
        const chunks: Buffer[] = []
        if (path.includes('watch=') && message.statusCode === 200 && wantedStatus !== 200) {
          resolve({ status: 200, body: null })
          message.on('error', () => {}) // cut off
          sent.destroy()
        }
        message.on('data', (chunk: Buffer) => chunks.push(chunk))
        message.on('error', reject)
        message.on('end', () => {
          const { warning, 'content-type': contentType } = message.headers
          resolve({
            status: message.statusCode ?? 0,
            warning,
            contentType,
            body: parsed(Buffer.concat(chunks).toString()),
          })
        })
      })
      sent.on('error', reject)
      sent.setTimeout(30_000, () => sent.destroy(new Error(`no answer for 30 s: ${method} ${path}`)))
      sent.end(data)
    })
  }

  #headers({ headers = {}, type, as }: RecordedRequest, data: string | undefined): Record<string, string | string[]> {
    const all: Record<string, string | readonly string[] | null> = {
      accept: 'application/json',
      authorization: `Bearer ${this.#target.token}`,
      ...headers,
    }
    if (as) all['impersonate-user'] = as.user
    if (as?.groups) all['impersonate-group'] = as.groups
    if (data !== undefined) {
      all['content-type'] ??= type ?? 'application/json'
      all['content-length'] ??= String(Buffer.byteLength(data))
    }
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>
  }

  /** Opens a watch; resolves when its head is there. */
  watch(path: string): Promise<RecordedWatch> {
    const headers = { authorization: `Bearer ${this.#target.token}`, accept: 'application/json' }
    const agent = new Agent({ rejectUnauthorized: false })
    return new Promise((resolve, reject) => {
      const sent = httpsRequest(`${this.#target.server}${path}`, { headers, agent }, (message) => {
        const watch = new RecordedWatch(message.statusCode ?? 0, () => sent.destroy())
        message.setEncoding('utf8')
        message.on('data', (text: string) => watch.take(text))
        message.on('error', () => {}) // it is cut off in the end
        resolve(watch)
      })
      sent.on('error', reject)
      sent.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

export class RecordedWatch {
  readonly status: number
  readonly events: JsonValue[] = []
  readonly close: () => void
  #text = ''
  #notify: () => void = () => {}

  constructor(status: number, close: () => void) {
    this.status = status
    this.close = close
  }

  take(text: string): void {
    const lines = (this.#text + text).split('\n')
    this.#text = lines.pop() ?? ''
    for (const line of lines) if (line.trim() !== '') this.events.push(parsed(line))
    this.#notify()
  }

  /** Resolves when there are so many events, or after so many milliseconds. */
  until(count: number, milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#notify = () => {
        if (this.events.length < count) return
        clearTimeout(timer)
        resolve()
      }
      this.#notify()
    })
  }
}

function parsed(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}
