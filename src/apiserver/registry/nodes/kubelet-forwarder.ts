import type { IncomingMessage } from 'node:http'
import { badRequest, internalError, unknown } from '../../../api/errors.js'
import { serverResponse } from '../../../api/server-response.js'
import { quote } from '../../../schema/quote.js'
import type { ApiResponse, StreamResponse } from '../../response/response.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import { type BackendAddress, type BackendResponse, backendUrl, DialError } from '../proxy/backend.js'
import { forwardWith, requestUpgrade, signalsOf, tunnelOf } from '../proxy/forward.js'
import { isUpgrade } from '../proxy/headers.js'
import type { ResourceMap } from '../resource-map.js'
import {
  type ForwardedKubeletRequest,
  type KubeletAddressOptions,
  type KubeletClient,
  kubeletAddress,
} from './kubelet-client.js'

/** A request to the kubelet of a node. */
export interface NodeTarget {
  readonly nodeName: string
  /** With the query: `/containerLogs/default/web/main?follow=true`. */
  readonly path: string
  /**
   * `log`: a text stream. `connection`: an upgraded connection. `proxy`: any request, forwarded unchanged.
   */
  readonly as: 'log' | 'connection' | 'proxy'
}

/** Forwards a request to a node's kubelet, and returns its response. */
export type NodeForwarder = (scope: VerbScope, target: NodeTarget) => Promise<ApiResponse>

export interface KubeletForwarderDependencies {
  readonly resources: () => ResourceMap
  readonly client: KubeletClient
  readonly options: KubeletAddressOptions
}

/** One request to a kubelet. */
interface KubeletCall {
  readonly address: BackendAddress
  readonly path: string
  readonly send: (
    request: Pick<ForwardedKubeletRequest, 'method' | 'headers' | 'body' | 'skipTlsVerify'>,
  ) => Promise<BackendResponse>
}

type ForwardCall = (scope: VerbScope, call: KubeletCall) => Promise<ApiResponse>

/** Forwards requests to kubelets over their own API. */
export function kubeletForwarder({ resources, client, options }: KubeletForwarderDependencies): NodeForwarder {
  return async (scope, { nodeName, path, as }) => {
    const address = await kubeletAddress(scope, nodeName, resources(), options)
    const signals = signalsOf(scope)
    return forwardBy[as](scope, {
      address,
      path,
      send: (request) => client.send(address, { path, signals, ...request }),
    })
  }
}

const forwardBy: Readonly<Record<NodeTarget['as'], ForwardCall>> = {
  log,
  connection,
  proxy: (scope, { address, send }) => forwardWith(scope, address, send),
}

async function log(scope: VerbScope, { address, path, send }: KubeletCall): Promise<ApiResponse> {
  const skipTlsVerify = scope.context.request.query.get('insecureSkipTLSVerifyBackend') === 'true'
  const { response } = await send({ method: 'GET', headers: {}, skipTlsVerify }).catch((error: unknown) => {
    throw error instanceof DialError ? unknown(`Get ${quote(backendUrl(address, path))}: ${error.message}`) : error
  })
  if (isSuccess(response)) return streamOf(response, 'text/plain')
  throw kubeletError(response.statusCode!, await textOf(response), scope)
}

/** Translates an error of the kubelet into an API error. */
function kubeletError(code: number, text: string, { name }: VerbScope): Error {
  if (code === 500 || code < 400 || code > 599) return internalError(text)
  if (code === 400) return badRequest(text)
  const resource = { group: '', resource: 'pods/log' }
  return serverResponse({ code, method: '', resource, name, serverMessage: text })
}

async function connection(scope: VerbScope, { send }: KubeletCall): Promise<ApiResponse> {
  if (!isUpgrade(scope.context.request)) throw badRequest('Upgrade request required')
  const { response, upgraded } = await requestUpgrade(scope, send)
  if (upgraded) return tunnelOf(response, upgraded)
  const text = await textOf(response)
  throw response.statusCode === 400 ? badRequest(text) : internalError(`unable to upgrade connection: ${text}`)
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 206
}

/** Streams the response. It fails when the kubelet disconnects, and closes the connection when the client does. */
function streamOf(response: IncomingMessage, contentType: string): StreamResponse {
  return { is: 'stream', code: response.statusCode ?? 502, contentType, chunks: response }
}

const longestText = 50_000

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > longestText) break
  }
  return Buffer.concat(chunks).subarray(0, longestText).toString()
}
