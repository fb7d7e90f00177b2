import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server as HttpsServer, type ServerOptions } from 'node:https'
import { type AddressInfo, type Socket, Server as TcpServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { SecureContextOptions, TLSSocket } from 'node:tls'
import { Connection } from './connections.js'
import { Dispatcher } from './dispatch.js'
import { Http1Request, Http1Responder } from './http1.js'
import { defaultLimits, type Limits } from './limits.js'
import { HttpDate, PlainLane } from './plain-http/plain-lane.js'
import type { ListeningServer, ServeOptions, ServerTlsOptions } from './server.js'
import { serveSession } from './sessions.js'
import { parseTarget } from './target.js'

/**
 * Serves HTTP/1.1 and HTTP/2 on one port. Uses Node's HTTP/1.1 server for HTTP/1.1 connections only: the compatibility mode of Node's HTTP/2
 * server costs a quarter of the throughput. A connection moves to Node's server with its first request that is not plain
 * (docs/decisions/015).
 *
 * The timeouts of connections are Node's, in real time: slow clients do not exist in virtual time.
 */
export class TlsServer implements ListeningServer {
  readonly #https: HttpsServer
  readonly #options: ServeOptions
  readonly #limits: Limits
  readonly #dispatcher: Dispatcher
  readonly #date: HttpDate
  /** Sockets before the end of the handshake, by the address of the client. */
  readonly #handshakes = new Map<string, Socket>()
  readonly #connections = new Map<Duplex, Connection>()
  #address: AddressInfo = { address: '', family: '', port: 0 }
  #closing: Promise<void> | undefined

  constructor(options: ServeOptions) {
    this.#options = options
    this.#limits = { ...defaultLimits, ...options.limits }
    this.#dispatcher = new Dispatcher({
      handle: options.handle,
      log: options.environment.log,
      batches: options.requestBatches ?? true,
    })
    this.#date = new HttpDate(options.environment.clock)
    this.#https = createServer(serverOptions(options.tls, this.#limits))
    this.#https.maxConnections = this.#limits.connections
    this.#https.maxHeadersCount = 0 // no limit: Node would drop headers beyond it silently
    this.#https.timeout = this.#limits.stall
    this.#acceptConnections()
    this.#acceptRequests()
  }

  #acceptConnections(): void {
    const { onConnection, isBackground = false } = this.#options
    const [serveHttp1] = this.#https.listeners('secureConnection') as [(socket: TLSSocket) => void]
    this.#https.removeAllListeners('secureConnection')
    this.#https.on('connection', (socket: Socket) => {
      if (isBackground) socket.unref()
      onConnection?.(socket)
      const client = clientOf(socket)
      this.#handshakes.set(client, socket)
      socket.once('close', () => this.#handshakes.delete(client))
    })
    this.#https.on('secureConnection', (socket: TLSSocket) => {
      this.#handshakes.delete(clientOf(socket))
      if (this.#closing) return void socket.destroy()
      const connection = this.#addConnection(socket)
      if (socket.alpnProtocol === 'h2') this.#serveSession(connection)
      else if (this.#options.plainHttp === false) serveHttp1.call(this.#https, socket)
      else this.#servePlainLane(connection, () => serveHttp1.call(this.#https, socket))
    })
  }

  #addConnection(socket: TLSSocket): Connection {
    const connection = new Connection(socket)
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#connections.delete(socket))
    return connection
  }

  #serveSession(connection: Connection): void {
    const { environment } = this.#options
    serveSession(connection, { dispatcher: this.#dispatcher, environment, limits: this.#limits })
  }

  #servePlainLane(connection: Connection, serveAll: () => void): void {
    const leave = () => {
      connection.lane = undefined
      serveAll()
    }
    const { socket, peer } = connection
    const shared = { dispatcher: this.#dispatcher, limits: this.#limits, date: this.#date }
    connection.lane = new PlainLane({ ...shared, socket, peer, leave })
  }

  #acceptRequests(): void {
    const take = (incoming: IncomingMessage, response: ServerResponse) => this.#request(incoming, response)
    const { upgrade } = this.#options
    this.#https.on('request', take)
    // `body` sends the `100 Continue` when the handler reads it.
    this.#https.on('checkContinue', take)
    this.#https.on('timeout', (socket) => this.#connections.get(socket)?.timedOut())
    if (!upgrade) return
    this.#https.on('upgrade', (incoming, socket, head) => {
      const target = parseTarget(incoming.url!)
      if (!target)
        return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n', () => socket.destroy())
      const connection = this.#connections.get(socket)!
      connection.isUpgraded = true
      upgrade(new Http1Request(incoming, undefined, target, connection.peer), socket, head)
    })
  }

  #request(incoming: IncomingMessage, response: ServerResponse): void {
    // The request arrived while the server closed the connection: it could get no response, so it must not run.
    if (incoming.socket.writableEnded) return void incoming.socket.destroy()
    const connection = this.#connections.get(incoming.socket)!
    connection.response = response
    if (this.#closing) response.shouldKeepAlive = false
    if (!response.socket) endWith(incoming.socket, response)
    const respond = new Http1Responder(response)
    const target = parseTarget(incoming.url!)
    if (!target) this.#dispatcher.reject(respond)
    else this.#dispatcher.run(new Http1Request(incoming, response, target, connection.peer), respond)
  }

  listen(port: number, address: string): Promise<void> {
    const isUnspecified = address === '0.0.0.0' || address === '::'
    return new Promise((resolve, reject) => {
      this.#https.once('error', reject)
      this.#https.listen({ port, ...(!isUnspecified && { host: address }) }, () => {
        this.#https.off('error', reject)
        this.#https.on('error', (error) => this.#options.environment.log.error('server failed', { error }))
        this.#address = this.#https.address() as AddressInfo
        if (this.#options.isBackground) this.#https.unref()
        resolve()
      })
    })
  }

  get port(): number {
    return this.#address.port
  }

  get address(): string {
    return this.#address.address
  }

  get connections(): number {
    return this.#connections.size
  }

  setTls(tls: ServerTlsOptions): void {
    this.#https.setSecureContext(secureContext(tls))
  }

  async close(grace = this.#limits.grace): Promise<void> {
    this.#closing ??= this.#drain()
    const deadline = this.#options.environment.clock.timer(grace, () => this.#destroyAll())
    await this.#closing
    deadline.cancel()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #drain(): Promise<void> {
    // Only stops listening. The `close` of Node's HTTP server would also destroy connections whose response is still in the buffer: clients
    // would see it cut off.
    const closed = new Promise<void>((resolve) => TcpServer.prototype.close.call(this.#https, () => resolve()))
    for (const socket of this.#handshakes.values()) socket.destroy()
    for (const connection of this.#connections.values()) connection.drain()
    return closed.then(() => void this.#https.close()) // no client is connected now; this also stops the timer that checks connections
  }

  #destroyAll(): void {
    for (const connection of this.#connections.values()) connection.destroy()
  }
}

/** Returns the same key for a TCP socket and its TLS socket. */
function clientOf(socket: Socket): string {
  return `${socket.remoteAddress} ${socket.remotePort}`
}

function secureContext({ key, cert, clientCa }: ServerTlsOptions): SecureContextOptions {
  return { key, cert, minVersion: 'TLSv1.2', ...(clientCa !== undefined && { ca: clientCa }) }
}

function serverOptions(tls: ServerTlsOptions, limits: Limits): ServerOptions {
  return {
    ...secureContext(tls),
    // Authentication rejects invalid certificates.
    requestCert: tls.clientCa !== undefined,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2', 'http/1.1'],
    handshakeTimeout: limits.handshake,
    noDelay: true,
    // TCP detects clients that vanish.
    keepAlive: true,
    keepAliveInitialDelay: 15_000,
    headersTimeout: limits.headers,
    requestTimeout: limits.request,
    keepAliveTimeout: limits.idle,
    connectionsCheckingInterval: Math.max(100, Math.min(limits.headers, limits.request) / 4),
    maxHeaderSize: limits.headerBytes,
  }
}

/** Closes a response with its connection: Node does not do so for a response that waits behind another one on the same connection. */
function endWith(socket: Socket, response: ServerResponse): void {
  const end = () => {
    response.destroy()
    if (!response.socket) response.emit('close')
  }
  socket.setMaxListeners(0)
  socket.once('close', end)
  response.once('close', () => socket.off('close', end))
}

/** Starts a server. Resolves when it accepts connections; rejects as `listen` does. */
export async function serve(options: ServeOptions): Promise<ListeningServer> {
  const server = new TlsServer(options)
  await server.listen(options.port, options.address)
  return server
}
