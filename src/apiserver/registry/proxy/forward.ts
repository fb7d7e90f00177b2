import type { IncomingMessage } from 'node:http'
import { unknown } from '../../../api/errors.js'
import { responseHead } from '../../../wire/response-head.js'
import type { ApiResponse, StreamResponse, TunnelResponse } from '../../response/response.js'
import { maximumBody } from '../../verbs/body.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import {
  type BackendAddress,
  type BackendRequest,
  type BackendResponse,
  backendUnreachable,
  DialError,
  sendToBackend,
} from './backend.js'
import { asText, backendRequestHeaders, backendUpgradeHeaders, clientResponseHeaders, isUpgrade } from './headers.js'
import { pageOf } from './html-links.js'
import { backendPath, type ProxyPath, proxyPathOf, rewriteLink } from './proxy-path.js'

export type BackendSender = (request: Pick<BackendRequest, 'method' | 'headers' | 'body'>) => Promise<BackendResponse>

/** Hands a request on, and the answer back. Certificates behind it are not checked. */
export function forward(scope: VerbScope, place: BackendAddress): Promise<ApiResponse> {
  const path = backendPath(proxyPathOf(scope))
  const ask: BackendSender = (request) =>
    sendToBackend(place, { path, signals: signalsOf(scope), ...request }, scope.environment.clock)
  return forwardWith(scope, place, ask)
}

/** Whoever goes takes his connections with him: the client, and this server. */
export function signalsOf({ context: { request }, closing }: VerbScope): readonly AbortSignal[] {
  return [request.signal, closing]
}

/** Hands a request on to whoever is asked, and the answer back as it comes. */
export async function forwardWith(scope: VerbScope, place: BackendAddress, ask: BackendSender): Promise<ApiResponse> {
  const { request } = scope.context
  const { method } = request
  const passage = proxyPathOf(scope)
  if (isUpgrade(request)) return forwardUpgrade(scope, { place, passage, ask })
  if (passage.rest === '' && (method === 'GET' || method === 'HEAD')) return redirected(scope, passage)
  const headers = { ...backendRequestHeaders(request), 'x-forwarded-uri': passage.prefix + passage.rest }
  const { response } = await ask({ method, headers, body: await bodyOf(scope) }).catch((error: unknown) => {
    throw error instanceof DialError ? backendUnreachable(error.message) : error
  })
  return returned(scope, { place, passage }, response)
}

interface ForwardedRequest {
  readonly place: BackendAddress
  readonly passage: ProxyPath
}

/** Pages with relative links work only below a slash. */
function redirected({ context }: VerbScope, { prefix, query }: ProxyPath): ApiResponse {
  context.headers.location = `${prefix}/${query}`
  return { is: 'bytes', code: 301, contentType: '', bytes: new Uint8Array() }
}

/** Client and backend leave HTTP together, if the backend agrees. */
async function forwardUpgrade(
  scope: VerbScope,
  { place, passage, ask }: ForwardedRequest & { readonly ask: BackendSender },
): Promise<ApiResponse> {
  const { response, upgraded } = await requestUpgrade(scope, ask)
  if (upgraded) return tunnelOf(response, upgraded)
  const { statusCode = 0 } = response
  if (statusCode >= 400) return returned(scope, { place, passage }, response)
  response.destroy()
  throw unknown(`invalid upgrade response: status code ${statusCode}`)
}

export async function requestUpgrade(
  { context: { request } }: VerbScope,
  ask: BackendSender,
): Promise<BackendResponse> {
  try {
    return await ask({ method: request.method, headers: backendUpgradeHeaders(request) })
  } catch (error) {
    throw error instanceof DialError ? unknown(`error dialing backend: ${error.message}`) : error
  }
}

export function tunnelOf(
  response: IncomingMessage,
  { socket, head }: NonNullable<BackendResponse['upgraded']>,
): TunnelResponse {
  return { is: 'tunnel', head: Buffer.concat([responseHead(response), head]), socket }
}

async function bodyOf({ context: { request } }: VerbScope): Promise<Uint8Array> {
  const body = await request.body(maximumBody)
  return 'bytes' in body ? body.bytes : Buffer.from(JSON.stringify(body.value))
}

/**
 * It breaks off with who is behind it, and lets go of him where the client has gone. Where it leads to his root, by a redirection or by the
 * links of a page, it leads there through here.
 */
function returned(
  { context }: VerbScope,
  { place, passage }: ForwardedRequest,
  response: IncomingMessage,
): StreamResponse {
  const { statusCode: code = 0, headers } = response
  if (code < 200 || code > 599) {
    response.destroy()
    throw backendUnreachable(`it answered with the status ${code}`)
  }
  const { location } = headers
  const rewrite = (link: string) => rewriteLink(link, passage, { place, here: context.request.headers.host })
  const page = location === undefined && context.request.method !== 'HEAD' ? pageOf(response, rewrite) : undefined
  const hasOtherLength = page !== undefined || code === 204
  const cached = clientResponseHeaders(response, hasOtherLength ? ['location', 'content-length'] : ['location'])
  return {
    is: 'stream',
    code,
    contentType: asText(headers['content-type'] ?? ''),
    headers: location === undefined ? cached : [...cached, 'location', asText(rewrite(location))],
    chunks: page ?? response,
  }
}
