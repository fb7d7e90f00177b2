import type { IncomingMessage } from 'node:http'
import { pipeline, Readable, type Transform } from 'node:stream'
import { createDeflate, createGunzip, createGzip, createInflate } from 'node:zlib'
import { serviceUnavailable, unknown } from '../../../api/errors.js'
import type { Answer, StreamAnswer } from '../../answer.js'
import { maximumBody } from '../../verbs/body.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { type BackendRequest, type BackendResponse, DialError, sendTo } from './backend.js'
import { forwardedHeaders, returnedHeaders, upgradeHeaders } from './headers.js'
import { withLinks } from './html-links.js'
import { type Hosts, type Passage, passageOf, throughPassage } from './passage.js'

export type Ask = (request: Partial<BackendRequest>) => Promise<BackendResponse>

/** Hands a request on to `http://10.0.0.7:80`, and the answer back. Certificates behind it are not checked. */
export function forward(scope: VerbScope, origin: string): Promise<Answer> {
  const { rest, query } = passageOf(scope)
  const url = `${origin}${rest || '/'}${query}`
  const signal = AbortSignal.any([scope.exchange.request.signal, scope.closing])
  const { clock } = scope.environment
  return handOn(scope, url, (request) => sendTo(url, { method: 'GET', headers: {}, signal, ...request }, clock))
}

/** Hands a request on to whoever is asked, and the answer back as it comes. */
export async function handOn(scope: VerbScope, url: string, ask: Ask): Promise<Answer> {
  const { request } = scope.exchange
  if (request.headers.upgrade !== undefined) return upgraded(scope, url, ask)
  const passage = passageOf(scope)
  if (passage.rest === '' && (request.method === 'GET' || request.method === 'HEAD')) return redirected(scope, passage)
  const { method } = request
  const headers = { ...forwardedHeaders(request), 'x-forwarded-uri': passage.prefix + passage.rest }
  const { response } = await ask({ method, headers, body: await bodyOf(scope) }).catch((error: unknown) => {
    throw error instanceof DialError ? serviceUnavailable(`error trying to reach service: ${error.message}`) : error
  })
  return returned(scope, url, response)
}

/** Pages with relative links work only below a slash. */
function redirected({ exchange }: VerbScope, { prefix, query }: Passage): Answer {
  exchange.headers.location = `${prefix}/${query}`
  return { is: 'bytes', code: 301, contentType: '', bytes: new Uint8Array() }
}

async function upgraded(scope: VerbScope, url: string, ask: Ask): Promise<Answer> {
  const { request } = scope.exchange
  const asked = ask({ method: request.method, headers: upgradeHeaders(request) })
  const { response, upgraded: connection } = await asked.catch((error: unknown) => {
    throw error instanceof DialError ? unknown(`error dialing backend: ${error.message}`) : error
  })
  if (connection) return tunnelOf(response, connection)
  const { statusCode = 502 } = response
  if (statusCode >= 400) return returned(scope, url, response)
  response.destroy()
  throw unknown(`invalid upgrade response: status code ${statusCode}`)
}

export function tunnelOf(
  { statusCode, statusMessage, rawHeaders }: IncomingMessage,
  { socket, head }: NonNullable<BackendResponse['upgraded']>,
): Answer {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let index = 0; index < rawHeaders.length; index += 2)
    lines.push(`${rawHeaders[index]}: ${rawHeaders[index + 1]}`)
  return { is: 'tunnel', head: Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]), socket }
}

async function bodyOf({ exchange: { request } }: VerbScope): Promise<Uint8Array> {
  const body = await request.body(maximumBody)
  return 'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value))
}

/**
 * It breaks off with who is behind it, and lets go of him where the client has gone. Where it leads to his root, by a redirection or by the
 * links of a page, it leads there through here.
 */
function returned(scope: VerbScope, url: string, response: IncomingMessage): StreamAnswer {
  const { method, headers } = scope.exchange.request
  const passage = passageOf(scope)
  const hosts: Hosts = { backend: new URL(url).host, here: headers.host }
  const rewrite = (link: string) => throughPassage(link, passage, hosts)
  const { location } = response.headers
  if (location !== undefined) response.headers.location = rewrite(location)
  const page = location === undefined && method !== 'HEAD' ? pageOf(response, rewrite) : undefined
  if (page) delete response.headers['content-length'] // it will be another
  return {
    is: 'stream',
    code: response.statusCode ?? 502,
    contentType: response.headers['content-type'] ?? '',
    headers: returnedHeaders(response),
    chunks: page ?? response,
  }
}

type Step = (source: Readable) => Readable

const asItIs: Step = (source) => source

/** Whoever reads from it learns of what goes wrong before it. */
const through =
  (step: () => Transform): Step =>
  (source) =>
    pipeline(source, step(), () => undefined)

/** How a page may be packed, and how it is unpacked and packed again. */
const codecs: ReadonlyMap<string, { readonly unpack: Step; readonly pack: Step }> = new Map([
  ['', { unpack: asItIs, pack: asItIs }],
  ['gzip', { unpack: through(createGunzip), pack: through(createGzip) }],
  ['deflate', { unpack: through(createInflate), pack: through(createDeflate) }],
])

/** Undefined where it is no page, or one that is packed in a way that nobody here knows. */
function pageOf(response: IncomingMessage, rewrite: (link: string) => string): Readable | undefined {
  const { 'content-type': contentType = '', 'content-encoding': encoding = '' } = response.headers
  if (contentType.split(';')[0]!.trim().toLowerCase() !== 'text/html') return undefined
  const codec = codecs.get(encoding)
  return codec?.pack(Readable.from(withLinks(codec.unpack(response), rewrite)))
}
