import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Client } from '../../client/client.js'
import { CriError } from '../../cri/cri-error.js'
import type { NodeIdentity } from '../node/node-identity.js'
import {
  KubeletServerError,
  type KubeletServerRequest,
  type KubeletServerResponse,
  parseApiRequest,
  plainTextResponse,
} from './api-request.js'
import { KubeletAuthentication } from './authentication.js'
import { KubeletAuthorization, nodeAttributes } from './authorization.js'
import { type RouteDependencies, respondTo } from './routes.js'
import type { StreamEndpoints } from './stream-endpoints.js'

export interface KubeletServerDependencies extends RouteDependencies {
  /** For token and access reviews. */
  readonly client: Client
  readonly identity: Pick<NodeIdentity, 'nodeName'>
  readonly options: KubeletServerOptions
}

/** Durations are milliseconds. Defaults are upstream's. */
export interface KubeletServerOptions {
  /** Defaults to all addresses. */
  readonly address?: string
  /** Defaults to 10250; 0 for any free port. */
  readonly port?: number
  readonly tls: ServingTls
  /** Whether anonymous requests are allowed. Defaults to false. */
  readonly anonymous?: boolean
  /** Whether bearer tokens are accepted. Defaults to true. */
  readonly tokens?: boolean
  readonly tokenTtl?: number
  readonly authorization?: 'Webhook' | 'AlwaysAllow'
  readonly allowedTtl?: number
  readonly deniedTtl?: number
}

/** Certificates in PEM form. */
export interface ServingTls {
  readonly cert: string
  readonly key: string
  /** CA of client certificates. Without it, none is accepted. */
  readonly clientCa?: string
}

export interface KubeletServer extends AsyncDisposable {
  readonly port: number
  /** Applies to new connections. */
  setTls(tls: ServingTls): void
  /** Closes all connections, also those of logs and commands. */
  close(): Promise<void>
}

/** Starts the kubelet's API. Resolves when it serves. */
export async function startKubeletServer(dependencies: KubeletServerDependencies): Promise<KubeletServer> {
  const server = new RunningServer(dependencies)
  await server.listen()
  return server
}

class RunningServer implements KubeletServer {
  readonly #dependencies: KubeletServerDependencies
  readonly #https: Server
  readonly #authentication: KubeletAuthentication
  readonly #authorization: KubeletAuthorization
  readonly #sockets = new Set<Duplex>()
  #streams: Promise<StreamEndpoints> | undefined

  constructor(dependencies: KubeletServerDependencies) {
    const { environment, client, options, identity } = dependencies
    const minute = 60_000
    this.#dependencies = dependencies
    this.#authentication = new KubeletAuthentication({
      environment,
      client,
      anonymous: options.anonymous ?? false,
      tokens: options.tokens ?? true,
      cacheTtl: options.tokenTtl ?? 2 * minute,
    })
    this.#authorization = new KubeletAuthorization({
      environment,
      client,
      nodeName: identity.nodeName,
      mode: options.authorization ?? 'Webhook',
      allowedTtl: options.allowedTtl ?? 5 * minute,
      deniedTtl: options.deniedTtl ?? minute / 2,
    })
    this.#https = createServer({
      ...contextOf(options.tls),
      requestCert: options.tls.clientCa !== undefined,
      rejectUnauthorized: false,
    })
    this.#https.on('secureConnection', (socket: Duplex) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    this.#https.on('request', (incoming, response) => void this.#serve(incoming, response))
    this.#https.on('upgrade', (incoming, socket, head) => void this.#upgrade(incoming, socket, head))
  }

  listen(): Promise<void> {
    const { address, port = 10_250 } = this.#dependencies.options
    return new Promise((resolve, reject) => {
      this.#https.once('error', reject)
      this.#https.listen({ port, ...(address !== undefined && { host: address }) }, () => {
        this.#https.off('error', reject)
        this.#https.on('error', (error) => this.#dependencies.environment.log.error('kubelet server failed', { error }))
        resolve()
      })
    })
  }

  get port(): number {
    return (this.#https.address() as AddressInfo).port
  }

  setTls(tls: ServingTls): void {
    this.#https.setSecureContext(contextOf(tls))
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#https.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const request = parseApiRequest(incoming, gone.signal)
    const result = request ? await this.#respond(request) : plainTextResponse(400, '400 Bad Request')
    try {
      await send(result, response)
    } catch (error) {
      if (!gone.signal.aborted)
        this.#dependencies.environment.log.error('response interrupted', { error, path: request?.path })
      response.destroy()
    }
  }

  async #respond(request: KubeletServerRequest): Promise<KubeletServerResponse> {
    try {
      await this.#authorize(request)
      return await respondTo(request, this.#dependencies)
    } catch (error) {
      return this.#errorResponse(error, request)
    }
  }

  async #upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const gone = new AbortController()
    socket.on('error', () => {}) // a disconnected client needs no response
    socket.once('close', () => gone.abort())
    const request = parseApiRequest(incoming, gone.signal)
    if (!request) return sendUpgradeError(plainTextResponse(400, '400 Bad Request'), socket)
    try {
      await this.#authorize(request)
      this.#streams ??= this.#streamEndpoints()
      await (await this.#streams).serve(request, socket, head)
    } catch (error) {
      sendUpgradeError(this.#errorResponse(error, request), socket)
    }
  }

  /** Loaded with the first upgrade, because most kubelets never have one. */
  async #streamEndpoints(): Promise<StreamEndpoints> {
    const { StreamEndpoints } = await import('./stream-endpoints.js')
    return new StreamEndpoints(this.#dependencies)
  }

  /** Rejects with a `KubeletServerError` if the request is not allowed, or a review fails. */
  async #authorize({ incoming, method, path }: KubeletServerRequest): Promise<void> {
    const user = await this.#authentication.userOf(incoming).catch((error: unknown) => {
      throw new KubeletServerError(401, 'Unauthorized', { cause: error })
    })
    if (!user) throw new KubeletServerError(401, 'Unauthorized')
    const attributes = nodeAttributes(method, path)
    const { verb, subresources } = attributes
    const isAllowed = await this.#authorization.allows(user, attributes).catch((error: unknown) => {
      const what = `user=${user.name}, verb=${verb}, resource=nodes, subresource=${subresources[0]}`
      throw new KubeletServerError(500, `Authorization error (${what})`, { cause: error })
    })
    if (isAllowed) return
    const list = `[${subresources.join(' ')}]`
    throw new KubeletServerError(
      403,
      `Forbidden (user=${user.name}, verb=${verb}, resource=nodes, subresource(s)=${list})\n`,
    )
  }

  #errorResponse(error: unknown, { path }: KubeletServerRequest): KubeletServerResponse {
    const { log } = this.#dependencies.environment
    if (error instanceof KubeletServerError) {
      if (error.cause) log.warn('kubelet request denied', { error: error.cause, path })
      return plainTextResponse(error.code, error.message)
    }
    if (!(error instanceof CriError)) log.error('kubelet request failed', { error, path })
    return plainTextResponse(error instanceof CriError ? runtimeCode(error) : 500, (error as Error).message)
  }
}

function contextOf({ cert, key, clientCa }: ServingTls) {
  return { cert, key, minVersion: 'TLSv1.2' as const, ...(clientCa !== undefined && { ca: clientCa }) }
}

function runtimeCode({ code }: CriError): number {
  if (code === 'NotFound') return 404
  return code === 'ResourceExhausted' ? 429 : 500
}

async function send(
  { code, contentType, headers, body }: KubeletServerResponse,
  response: ServerResponse,
): Promise<void> {
  response.writeHead(code, { ...(contentType !== undefined && { 'content-type': contentType }), ...headers })
  if (typeof body === 'string' || body instanceof Uint8Array) return void response.end(body)
  response.flushHeaders()
  for await (const piece of body) {
    if (response.destroyed) return
    if (!response.write(piece)) await drained(response)
  }
  response.end()
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.on('drain', done)
    response.on('close', done)
  })
}

/** Responds to a failed upgrade request, and closes the connection. */
function sendUpgradeError({ code, contentType, body }: KubeletServerResponse, socket: Duplex): void {
  if (socket.destroyed) return
  const text = Buffer.from(String(body))
  const head = [
    `HTTP/1.1 ${code} ${STATUS_CODES[code] ?? ''}`,
    `Content-Type: ${contentType ?? 'text/plain'}`,
    `Content-Length: ${text.length}`,
    'Connection: close',
  ]
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), text]), () => socket.destroy())
}
