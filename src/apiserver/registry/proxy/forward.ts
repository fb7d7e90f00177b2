import type { IncomingMessage } from 'node:http'
import { unknown } from '../../../api/errors.js'
import { responseHead } from '../../../wire/upgrade.js'
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
import { rewrittenPage } from './html-links.js'
import { backendPath, type ProxyPath, proxyPathOf, rewriteLink } from './proxy-path.js'

export type BackendSender = (request: Pick<BackendRequest, 'method' | 'headers' | 'body'>) => Promise<BackendResponse>

/** Forwards a request to a backend without verifying its certificate, and returns the response. */
export function forward(scope: VerbScope, address: BackendAddress): Promise<ApiResponse> {
  const path = backendPath(proxyPathOf(scope))
  const send: BackendSender = (request) =>
    sendToBackend(address, { path, signals: signalsOf(scope), ...request }, scope.environment.clock)
  return forwardWith(scope, address, send)
}

/** The signals that end a forwarded connection: the client disconnects, or this server closes. */
export function signalsOf({ context: { request }, closing }: VerbScope): readonly AbortSignal[] {
  return [request.signal, closing]
}

/** Forwards a request with `send`, and streams the response back. */
export async function forwardWith(
  scope: VerbScope,
  address: BackendAddress,
  send: BackendSender,
): Promise<ApiResponse> {
  const { request } = scope.context
  const { method } = request
  const path = proxyPathOf(scope)
  if (isUpgrade(request)) return forwardUpgrade(scope, { address, path, send })
  if (path.rest === '' && (method === 'GET' || method === 'HEAD')) return redirected(scope, path)
  const headers = { ...backendRequestHeaders(request), 'x-forwarded-uri': path.prefix + path.rest }
  const { response } = await send({ method, headers, body: await bodyOf(scope) }).catch((error: unknown) => {
    throw error instanceof DialError ? backendUnreachable(error.message) : error
  })
  return returned(scope, { address, path }, response)
}

interface ForwardedRequest {
  readonly address: BackendAddress
  readonly path: ProxyPath
}

/** Redirects to the path with a slash, because relative links need it. */
function redirected({ context }: VerbScope, { prefix, query }: ProxyPath): ApiResponse {
  context.headers.location = `${prefix}/${query}`
  return { is: 'bytes', code: 301, contentType: '', bytes: new Uint8Array() }
}

/** Forwards an upgrade request, and connects client and backend if the backend accepts. */
async function forwardUpgrade(
  scope: VerbScope,
  { address, path, send }: ForwardedRequest & { readonly send: BackendSender },
): Promise<ApiResponse> {
  const { response, upgraded } = await requestUpgrade(scope, send)
  if (upgraded) return tunnelOf(response, upgraded)
  const { statusCode = 0 } = response
  if (statusCode >= 400) return returned(scope, { address, path }, response)
  response.destroy()
  throw unknown(`invalid upgrade response: status code ${statusCode}`)
}

export async function requestUpgrade(
  { context: { request } }: VerbScope,
  send: BackendSender,
): Promise<BackendResponse> {
  try {
    return await send({ method: request.method, headers: backendUpgradeHeaders(request) })
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
 * Streams a response of the backend to the client. Redirections and links of pages to the root of the backend are rewritten to paths through
 * the proxy.
 */
function returned(
  { context }: VerbScope,
  { address, path }: ForwardedRequest,
  response: IncomingMessage,
): StreamResponse {
  const { statusCode: code = 0, headers } = response
  if (code < 200 || code > 599) {
    response.destroy()
    throw backendUnreachable(`it responded with status ${code}`)
  }
  const { location } = headers
  const rewrite = (link: string) => rewriteLink(link, path, { backend: address, here: context.request.headers.host })
  const page =
    location === undefined && context.request.method !== 'HEAD' ? rewrittenPage(response, rewrite) : undefined
  const hasOtherLength = page !== undefined || code === 204
  const forwarded = clientResponseHeaders(response, hasOtherLength ? ['location', 'content-length'] : ['location'])
  return {
    is: 'stream',
    code,
    contentType: asText(headers['content-type'] ?? ''),
    headers: location === undefined ? forwarded : [...forwarded, 'location', asText(rewrite(location))],
    chunks: page ?? response,
  }
}
