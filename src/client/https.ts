import type { ClientRequest as HttpRequest, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { ApiError } from '../api/errors.js'
import type { KubeObject } from '../api/kube-object.js'
import type { Status } from '../api/meta/v1/status.js'
import { serverResponse } from '../api/server-response.js'
import { watchEvents } from './https-watch.js'
import type { Answer, ClientRequest, ListAnswer, Transport } from './transport.js'

export interface HttpsOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** By which the server is known, in PEM form. Those of the system unless given. */
  readonly authority?: string
  readonly token?: string
  /** A client certificate and its key, in PEM form. */
  readonly credential?: { readonly cert: string; readonly key: string }
  readonly userAgent?: string
}

/** Speaks to a server over the network, on connections that are kept. */
export function httpsTransport(options: HttpsOptions): Transport {
  const { authority: ca, credential } = options
  const agent = new Agent({ keepAlive: true, ...(ca && { ca }), ...credential })
  return {
    async send(request) {
      const message = await exchange(request, options, agent)
      return { answer: await answerOf(request, message), warnings: warningsOf(message) }
    },
    close: () => agent.destroy(),
  }
}

/** Resolves when the head of the answer is there. */
function exchange(request: ClientRequest, options: HttpsOptions, agent: Agent): Promise<IncomingMessage> {
  const { method, path, query, body, signal } = request
  const data = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const search = query.size === 0 ? '' : `?${query}`
  const url = `${options.server}${encodeURI(path).replaceAll('?', '%3F').replaceAll('#', '%23')}${search}`
  return new Promise((resolve, reject) => {
    const headers = headersOf(request, options, data)
    const sent: HttpRequest = httpsRequest(url, { method, agent, headers, ...(signal && { signal }) }, resolve)
    sent.on('error', reject)
    sent.end(data)
  })
}

function headersOf(request: ClientRequest, options: HttpsOptions, data?: Buffer) {
  const { contentType = 'application/json', accept = 'application/json' } = request
  const { token, userAgent = 'proa' } = options
  return {
    accept,
    'user-agent': userAgent,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(data && { 'content-type': contentType, 'content-length': data.length }),
  }
}

async function answerOf(request: ClientRequest, message: IncomingMessage): Promise<Answer> {
  const { statusCode: code = 0 } = message
  if (request.wanted === 'watch' && code === 200) return { is: 'watch', events: watchEvents(message, request.signal) }
  const bytes = await bytesOf(message)
  if (code >= 400) throw refusal(request, code, bytes)
  const { 'content-type': contentType = '' } = message.headers
  if (request.wanted === 'bytes') return { is: 'bytes', code, contentType, bytes }
  const value = JSON.parse(bytes.toString()) as KubeObject
  return request.wanted === 'list'
    ? listOf(value as unknown as List)
    : { is: 'object', code, object: { object: value } }
}

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
}

interface List {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly resourceVersion: string
    readonly continue?: string
    readonly remainingItemCount?: number
  }
  /** Null in an empty list of metadata. */
  readonly items: readonly object[] | null
}

/** On the wire the items do not say what they are: that stands once, in the list. */
function listOf({ apiVersion, kind, metadata, items }: List): ListAnswer {
  const { resourceVersion, continue: token, remainingItemCount: remaining } = metadata
  const its = { kind: kind.replace(/List$/, ''), apiVersion }
  return {
    is: 'list',
    items: (items ?? []).map((item) => ({ object: { ...its, ...item } as KubeObject })),
    revision: Number(resourceVersion),
    ...(token && { continue: token }),
    ...(remaining !== undefined && { remaining }),
  }
}

/** Whatever stands between may refuse as well, and does not speak of it in the server's way. */
function refusal({ method }: ClientRequest, code: number, bytes: Buffer): ApiError {
  const text = bytes.toString()
  try {
    const status = JSON.parse(text) as Status
    if (status.kind === 'Status') return new ApiError(status)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  return serverResponse({ code, method, serverMessage: text })
}

/** `299 - "text"`, several of them joined by commas. */
function warningsOf({ headers }: IncomingMessage): readonly string[] {
  const { warning = '' } = headers
  return [...warning.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, quoted]) => unquoted(quoted!))
}

function unquoted(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, '$1')
}
