import { Agent, request } from 'node:https'
import { adminToken } from '../servers/server-folder.js'

export interface WellBehavedResponse {
  readonly status: number
  readonly text: string
}

/** Sends ordinary requests. */
export class WellBehavedClient {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8, rejectUnauthorized: false })

  constructor(url: string) {
    this.#url = url
  }

  send(method: string, path: string, content?: unknown): Promise<WellBehavedResponse> {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const sent = request(this.#url + path, { method, agent: this.#agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode!, text })).on('error', reject)
      })
      sent.on('error', reject)
      sent.end(content === undefined ? undefined : JSON.stringify(content))
    })
  }

  /** Returns the JSON of the response; throws if the request failed. */
  async sendSuccessfully<T>(method: string, path: string, content?: unknown): Promise<T> {
    const { status, text } = await this.send(method, path, content)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 500)}`)
    return JSON.parse(text) as T
  }

  close(): void {
    this.#agent.destroy()
  }
}
