import { type Agent, get, request } from 'node:https'
import { adminToken } from '../servers/server-folder.js'

const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }

export interface LoadResponse {
  readonly status: number
  readonly body: JsonBody
}

/** The fields of a response that are used here. */
export interface JsonBody {
  readonly metadata: { readonly name?: string; readonly resourceVersion?: string; readonly continue?: string }
  readonly data?: Readonly<Record<string, string>>
  readonly items?: readonly JsonBody[]
  readonly message?: string
  readonly code?: number
}

/** Sends a request. Rejects if the response is incomplete. */
export function sendLoadRequest(agent: Agent, method: string, url: string, content?: unknown): Promise<LoadResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
      })
      response.on('error', reject)
      response.on('close', () => {
        if (response.complete) resolve({ status: response.statusCode!, body: JSON.parse(text) as JsonBody })
        else reject(new Error('connection lost in the middle of a response'))
      })
    })
    sent.on('error', reject)
    sent.end(content === undefined ? undefined : JSON.stringify(content))
  })
}

export interface WatchLine {
  readonly type: string
  readonly object: JsonBody
}

export interface LoadWatch {
  /** Resolves when the watch ends: `true` if the server ended it properly. */
  readonly ended: Promise<boolean>
  stop(): void
}

export function openLoadWatch(agent: Agent, url: string, take: (line: WatchLine) => void): LoadWatch {
  let stop = () => {}
  const ended = new Promise<boolean>((resolve) => {
    const sent = get(url, { agent, headers }, (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) take(JSON.parse(line) as WatchLine)
      })
      response.on('error', () => {}) // 'close' follows
      response.on('close', () => resolve(response.complete && rest === ''))
    })
    sent.on('error', () => resolve(false))
    stop = () => void sent.destroy()
  })
  return { ended, stop: () => stop() }
}
