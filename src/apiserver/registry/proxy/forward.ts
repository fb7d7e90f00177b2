import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { serviceUnavailable } from '../../../api/errors.js'
import { dialWords } from '../../../wire/network-words.js'
import type { Answer } from '../../answer.js'
import { maximumBody } from '../../verbs/body.js'
import type { VerbScope } from '../../verbs/verb-scope.js'

/** Headers that are about one connection, and those that tell who the client is to this server alone. */
const notForwarded: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'te',
  'trailer',
  'host',
  'authorization',
  'content-length',
])

export function forwardedHeaders(headers: NodeJS.Dict<string | string[]>): NodeJS.Dict<string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !notForwarded.has(name) && !name.startsWith(':')),
  )
}

/** What follows after `/proxy` in the path, with the query. */
export function restOfPath({ exchange: { request } }: VerbScope): string {
  const rest = request.path.slice(request.path.indexOf('/proxy') + '/proxy'.length)
  const query = request.query.toString()
  return rest + (query === '' ? '' : `?${query}`)
}

/** Hands a request on, and the answer back as a whole. `origin` is `http://10.0.0.7:80`. Certificates behind it are not checked. */
export async function forward(scope: VerbScope, origin: string): Promise<Answer> {
  const { request } = scope.exchange
  const rest = restOfPath(scope)
  if (rest === '' || rest.startsWith('?')) return redirected(scope, rest)
  const body = await request.body(maximumBody)
  const bytes = 'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value))
  const headers = forwardedHeaders(request.headers)
  return exchangeWith(`${origin}${rest}`, { method: request.method, headers, bytes, signal: request.signal })
}

/** Pages with relative links work only below a slash. */
function redirected({ exchange }: VerbScope, query: string): Answer {
  exchange.headers.location = `${exchange.request.path}/${query}`
  return { is: 'bytes', code: 301, contentType: '', bytes: new Uint8Array() }
}

interface Forwarded {
  readonly method: string
  readonly headers: NodeJS.Dict<string | string[]>
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

function exchangeWith(url: string, { method, headers, bytes, signal }: Forwarded): Promise<Answer> {
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(serviceUnavailable(`error trying to reach service: ${dialWords(error)}`))
    const options = { method, headers, signal, rejectUnauthorized: false, timeout: 30_000 }
    const outgoing = send(url, options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', failed)
      response.on('end', () => {
        const contentType = response.headers['content-type'] ?? ''
        resolve({ is: 'bytes', code: response.statusCode ?? 502, contentType, bytes: Buffer.concat(chunks) })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' })))
    outgoing.on('error', failed)
    outgoing.end(bytes)
  })
}
