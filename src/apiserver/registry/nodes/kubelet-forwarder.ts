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
  type KubeletAddressOptions,
  type KubeletApiRequest,
  type KubeletClient,
  kubeletAddress,
} from './kubelet-client.js'

/** What of a node is asked for. */
export interface NodeTarget {
  readonly nodeName: string
  /** With the query: `/containerLogs/default/web/main?follow=true`. */
  readonly path: string
  /**
   * A log is text that may go on; a connection leaves HTTP; anything else is handed on as it is, there and back.
   */
  readonly as: 'log' | 'connection' | 'proxy'
}

/** Hands a request on to a node's kubelet, and its answer back. */
export type NodeForwarder = (scope: VerbScope, target: NodeTarget) => Promise<ApiResponse>

export interface KubeletForwarderDependencies {
  readonly resources: () => ResourceMap
  readonly client: KubeletClient
  readonly options: KubeletAddressOptions
}

/** How one request to a kubelet is made. */
interface Call {
  readonly place: BackendAddress
  readonly path: string
  readonly ask: (
    request: Pick<KubeletApiRequest, 'method' | 'headers' | 'body' | 'skipTlsVerify'>,
  ) => Promise<BackendResponse>
}

type Hand = (scope: VerbScope, call: Call) => Promise<ApiResponse>

/** The way from this server to the kubelets of the cluster. */
export function kubeletForwarder({ resources, client, options }: KubeletForwarderDependencies): NodeForwarder {
  return async (scope, { nodeName, path, as }) => {
    const place = await kubeletAddress(scope, nodeName, resources(), options)
    const signals = signalsOf(scope)
    return hands[as](scope, { place, path, ask: (request) => client.send(place, { path, signals, ...request }) })
  }
}

const hands: Readonly<Record<'log' | 'connection' | 'proxy', Hand>> = {
  log,
  connection,
  proxy: (scope, { place, ask }) => forwardWith(scope, place, ask),
}

async function log(scope: VerbScope, { place, path, ask }: Call): Promise<ApiResponse> {
  const isCareless = scope.context.request.query.get('insecureSkipTLSVerifyBackend') === 'true'
  const { response } = await ask({ method: 'GET', headers: {}, skipTlsVerify: isCareless }).catch((error: unknown) => {
    throw error instanceof DialError ? unknown(`Get ${quote(backendUrl(place, path))}: ${error.message}`) : error
  })
  if (isGood(response)) return streamOf(response, 'text/plain')
  throw refusal(response.statusCode!, await textOf(response), scope)
}

/** What the kubelet says no with, as the API says it. */
function refusal(code: number, text: string, { name }: VerbScope): Error {
  if (code === 500 || code < 400 || code > 599) return internalError(text)
  if (code === 400) return badRequest(text)
  const resource = { group: '', resource: 'pods/log' }
  return serverResponse({ code, method: '', resource, name, serverMessage: text })
}

async function connection(scope: VerbScope, { ask }: Call): Promise<ApiResponse> {
  if (!isUpgrade(scope.context.request)) throw badRequest('Upgrade request required')
  const { response, upgraded } = await requestUpgrade(scope, ask)
  if (upgraded) return tunnelOf(response, upgraded)
  const text = await textOf(response)
  throw response.statusCode === 400 ? badRequest(text) : internalError(`unable to upgrade connection: ${text}`)
}

function isGood({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode <= 206
}

/** Breaks off with the kubelet, and lets go of it where the client has gone. */
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
