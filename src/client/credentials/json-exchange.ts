import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export interface JsonExchange {
  readonly url: string
  /** By which the other side is known, in PEM form. */
  readonly authority?: string | undefined
  /** Makes it a POST. */
  readonly form?: URLSearchParams
  readonly authorization?: string
  readonly signal?: AbortSignal | undefined
}

export interface JsonExchanged {
  readonly status: number
  readonly statusText: string
  /** Undefined where the answer was no JSON. */
  readonly value: unknown
  readonly text: string
}

const longestAnswer = 1 << 20

/** Asks another server than the API server, on a connection of its own. Rejects where there is no answer. */
export function exchangeJson({ url, authority, form, authorization, signal }: JsonExchange): Promise<JsonExchanged> {
  const body = form?.toString()
  const headers = {
    accept: 'application/json',
    ...(authorization && { authorization }),
    ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded', 'content-length': body.length }),
  }
  const options = { method: form ? 'POST' : 'GET', headers, agent: false as const, ...(signal && { signal }) }
  return new Promise((resolve, reject) => {
    const isPlain = url.startsWith('http://')
    const sent = isPlain
      ? requestHttp(url, options)
      : requestHttps(url, { ...options, ...(authority && { ca: authority }) })
    sent.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
    sent.on('response', async (answer) => {
      try {
        const text = await textOf(answer)
        const { statusCode = 0, statusMessage = '' } = answer
        resolve({ status: statusCode, statusText: `${statusCode} ${statusMessage}`, value: jsonOf(text), text })
      } catch (error) {
        reject(error)
      }
    })
    sent.end(body)
  })
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of answer) {
    length += chunk.length
    if (length > longestAnswer) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
