import { type AgentOptions, Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { X509KeyPair } from '../x509/issuer.js'
import { detectLoss, type HttpRequest, sendHttp } from './http-client.js'
import type { HttpResponse } from './http-response.js'
import { openTunnel, proxyAuthorization, type Trust } from './proxy-tunnel.js'

export interface ServerConnectionsOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The CA of the server's certificate, in PEM form. */
  readonly authority?: string | undefined
  /** The name that the server's certificate must have, if it is not the host of `server`. */
  readonly serverName?: string | undefined
  /** Accepts any certificate of the server. */
  readonly insecure?: boolean | undefined
  /** `http://user:password@10.0.0.1:3128`; or `https:`, or `socks5:` */
  readonly proxy?: string | undefined
}

export type ServerRequest = Omit<HttpRequest, 'url' | 'agent' | 'tls'>

/** The keep-alive connections to one server. Connections that were opened with an earlier certificate are not used again. */
export class ServerConnections {
  readonly #options: ServerConnectionsOptions
  readonly #isPlain: boolean
  /** Whether requests are sent over TLS: to the server, or to the proxy that forwards them. */
  readonly #isSecure: boolean
  /** The proxy that forwards requests to a plain server. Requests to other servers go through a tunnel. */
  readonly #forward: URL | undefined
  #certificate: X509KeyPair | undefined
  #agent: HttpAgent
  /** Agents of earlier certificates that still have open requests. */
  #retired: readonly HttpAgent[] = []
  /** A connection that has no request yet. */
  #preconnected: Socket | undefined
  #isClosed = false

  constructor(options: ServerConnectionsOptions) {
    this.#options = options
    this.#isPlain = options.server.startsWith('http://')
    const proxy = options.proxy === undefined ? undefined : new URL(options.proxy)
    this.#forward = this.#isPlain && proxy?.protocol !== 'socks5:' ? proxy : undefined
    this.#isSecure = (this.#forward?.protocol ?? new URL(options.server).protocol) === 'https:'
    this.#agent = this.#newAgent()
  }

  /** Sends a request to the server. `path` begins with a slash. Rejects after `close`. */
  async send(path: string, request: ServerRequest, certificate?: X509KeyPair): Promise<HttpResponse> {
    const url = `${this.#options.server}${path}`
    const agent = () => this.agent(certificate)
    try {
      return await sendHttp({ ...request, url, ...this.#forwarding(url, request), agent })
    } catch (error) {
      throw this.#isClosed ? closedError() : error
    }
  }

  /**
   * Opens a connection before there is a request for it. Ignores errors: the next request opens another connection and reports them. Does
   * nothing for a plain server or through a proxy, where it would gain nothing.
   */
  preconnect(certificate?: X509KeyPair): void {
    this.agent(certificate)
    if (!this.#isSecure || this.#options.proxy !== undefined) return
    const { hostname, port } = new URL(this.#options.server)
    const host = hostname.replace(/^\[|\]$/g, '')
    const servername = this.#options.serverName ?? (isIP(host) ? '' : host)
    const socket = connectTls({ ...this.#tlsOptions(), host, port: Number(port || 443), servername })
    detectLoss(socket)
    socket.on('error', () => {}) // 'close' follows
    socket.on('close', () => {
      if (this.#preconnected === socket) this.#preconnected = undefined
    })
    this.#preconnected = socket
  }

  /** The agent that opens connections to the server, for libraries that send requests themselves (WebSocket). */
  agent(certificate?: X509KeyPair): HttpAgent {
    if (this.#isClosed) throw closedError()
    if (certificate !== this.#certificate) this.#rotate(certificate)
    return this.#agent
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Fails all open requests, and all later ones. */
  close(): void {
    this.#isClosed = true
    for (const agent of [this.#agent, ...this.#retired]) agent.destroy()
    this.#takePreconnected()?.destroy()
  }

  #takePreconnected(): Socket | undefined {
    const socket = this.#preconnected
    this.#preconnected = undefined
    return socket
  }

  #rotate(certificate: X509KeyPair | undefined): void {
    this.#takePreconnected()?.destroy()
    const inUse = [this.#agent, ...this.#retired].filter(({ sockets }) => Object.keys(sockets).length > 0)
    retire(this.#agent)
    this.#retired = inUse
    this.#certificate = certificate
    this.#agent = this.#newAgent()
  }

  #newAgent(): HttpAgent {
    const { proxy } = this.#options
    const agent = this.#isSecure ? new HttpsAgent(this.#tlsOptions()) : new HttpAgent({ keepAlive: true })
    if (proxy !== undefined && !this.#forward) tunnel(agent, new URL(proxy), this.#trust(), !this.#isPlain)
    else if (this.#isSecure) this.#usePreconnected(agent as unknown as ConnectingAgent)
    return agent
  }

  #usePreconnected(agent: ConnectingAgent): void {
    const open = agent.createConnection.bind(agent)
    agent.createConnection = (options, created) => this.#takePreconnected() ?? open(options, created)
  }

  #tlsOptions(): AgentOptions & ConnectionOptions {
    const { serverName } = this.#options
    const own = this.#forward ? {} : { ...(serverName && { servername: serverName }), ...this.#certificate }
    return { keepAlive: true, ...this.#trust(), ...own }
  }

  #trust(): Trust {
    const { authority, insecure = false } = this.#options
    return { rejectUnauthorized: !insecure, ...(authority !== undefined && { ca: authority }) }
  }

  /** A proxy that forwards requests takes the whole URL as the request target. */
  #forwarding(url: string, { headers }: Pick<HttpRequest, 'headers'>): Partial<HttpRequest> {
    if (!this.#forward) return {}
    const authorization = proxyAuthorization(this.#forward)
    const own = { host: new URL(url).host, ...(authorization && { 'proxy-authorization': authorization }) }
    return { url: this.#forward, target: url, headers: { ...headers, ...own } }
  }
}

export function closedError(): Error {
  return new Error('the client is closed')
}

/** Closes idle connections now, and each other connection after its request. */
function retire(agent: HttpAgent): void {
  Object.assign(agent, { keepAlive: false })
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

type Created = (error: Error | null, socket?: Socket) => void

interface ConnectingAgent {
  createConnection(
    options: ConnectionOptions & { readonly host?: string; readonly port?: number },
    created: Created,
  ): Socket | undefined
}

/** Makes an agent open its connections through a proxy. */
function tunnel(agent: HttpAgent, proxy: URL, trust: Trust, isSecure: boolean): void {
  const connecting = agent as unknown as ConnectingAgent
  connecting.createConnection = (options, created) => {
    const { host = '', port = 0 } = options
    openTunnel(proxy, { host, port: Number(port) }, trust).then(
      (socket) => {
        detectLoss(socket)
        created(null, isSecure ? connectTls({ ...options, socket }) : socket)
      },
      (error: Error) => created(error),
    )
    return undefined
  }
}
