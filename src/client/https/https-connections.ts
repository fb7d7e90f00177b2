import { type AgentOptions, type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Certificate } from '../credentials/credential.js'
import { openTunnel, proxyAuthorization, type Trust } from './proxy-tunnel.js'

export interface ConnectionsOptions {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** By which the server is known, in PEM form. */
  readonly authority?: string | undefined
  /** What the server's certificate must be for, where that is not its address. */
  readonly serverName?: string | undefined
  /** Whether anybody may say to be the server. */
  readonly insecure?: boolean | undefined
  /** `http://user:password@10.0.0.1:3128`; or `https:`, or `socks5:` */
  readonly proxy?: string | undefined
}

/** After so much silence the system asks the other side whether it is still there, every second, ten times. In milliseconds. */
const keepAliveDelay = 30_000

type Options = Readonly<{ method: string; headers: Readonly<Record<string, string | number | string[]>> }>

/** The kept connections to one server. What was opened with another certificate than the present one is used no more. */
export class Connections {
  readonly #options: ConnectionsOptions
  readonly #isPlain: boolean
  /** Whether that whom requests are sent to speaks TLS: the server, or the proxy that forwards them. */
  readonly #isSecure: boolean
  /** Of a plain server only: for others, there is a tunnel through it. */
  readonly #forward: URL | undefined
  #certificate: Certificate | undefined
  #agent: HttpAgent
  /** Those of earlier certificates on which something is still under way. */
  #retired: readonly HttpAgent[] = []
  /** One for which there has been no request yet. */
  #begun: Socket | undefined
  #isClosed = false

  constructor(options: ConnectionsOptions) {
    this.#options = options
    this.#isPlain = options.server.startsWith('http://')
    const proxy = options.proxy === undefined ? undefined : new URL(options.proxy)
    this.#forward = this.#isPlain && proxy?.protocol !== 'socks5:' ? proxy : undefined
    this.#isSecure = (this.#forward?.protocol ?? new URL(options.server).protocol) === 'https:'
    this.#agent = this.#newAgent()
  }

  /** A request that is under way. `path` begins with a slash. */
  open(path: string, options: Options, certificate?: Certificate): ClientRequest {
    const agent = this.agent(certificate)
    const url = `${this.#options.server}${path}`
    const all = { ...options, agent, ...this.#forwarding(url, options) }
    const sent = (this.#isSecure ? httpsRequest : httpRequest)(this.#forward ?? url, all)
    sent.once('socket', keepAlive)
    return sent
  }

  /**
   * Opens a connection before there is a request for it. Nothing is told of what goes wrong: a request then opens another one, and meets it
   * itself. To a plain server, or through a proxy, there is nothing to gain.
   */
  begin(certificate?: Certificate): void {
    this.agent(certificate)
    if (!this.#isSecure || this.#options.proxy !== undefined) return
    const { hostname, port } = new URL(this.#options.server)
    const host = hostname.replace(/^\[|\]$/g, '')
    const servername = this.#options.serverName ?? (isIP(host) ? '' : host)
    const socket = connectTls({ ...this.#tlsOptions(), host, port: Number(port || 443), servername })
    socket.setKeepAlive(true, keepAliveDelay)
    socket.on('error', () => {}) // that it was lost is seen by its end
    socket.on('close', () => {
      if (this.#begun === socket) this.#begun = undefined
    })
    this.#begun = socket
  }

  /** What opens connections to the server: for libraries that send requests of their own, such as those of WebSockets. */
  agent(certificate?: Certificate): HttpAgent {
    if (this.#isClosed) throw closedError()
    if (certificate !== this.#certificate) this.#rotate(certificate)
    return this.#agent
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Requests under way fail, and there are no more. */
  close(): void {
    this.#isClosed = true
    for (const agent of [this.#agent, ...this.#retired]) agent.destroy()
    this.#takeBegun()?.destroy()
  }

  #takeBegun(): Socket | undefined {
    const begun = this.#begun
    this.#begun = undefined
    return begun
  }

  #rotate(certificate: Certificate | undefined): void {
    this.#takeBegun()?.destroy()
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
    else if (this.#isSecure) this.#useBegun(agent as unknown as ConnectingAgent)
    return agent
  }

  #useBegun(agent: ConnectingAgent): void {
    const open = agent.createConnection.bind(agent)
    agent.createConnection = (options, created) => this.#takeBegun() ?? open(options, created)
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

  /** To a proxy one says the whole address. */
  #forwarding(url: string, { headers }: Options): object {
    if (!this.#forward) return {}
    const authorization = proxyAuthorization(this.#forward)
    const own = { host: new URL(url).host, ...(authorization && { 'proxy-authorization': authorization }) }
    return { path: url, auth: null, headers: { ...headers, ...own } }
  }
}

export function closedError(): Error {
  return new Error('the client is closed')
}

/** Nothing new is sent on its connections: each is closed when what is under way on it has ended. */
function retire(agent: HttpAgent): void {
  Object.assign(agent, { keepAlive: false })
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy()
}

/** A side that is gone without a word would not be noticed otherwise where nothing is sent, as on a watch. */
function keepAlive(socket: Socket): void {
  if (socket.connecting) socket.setKeepAlive(true, keepAliveDelay)
}

type Created = (error: Error | null, socket?: Socket) => void

interface ConnectingAgent {
  createConnection(
    options: ConnectionOptions & { readonly host?: string; readonly port?: number },
    created: Created,
  ): Socket | undefined
}

/** Has an agent open its connections through a proxy. */
function tunnel(agent: HttpAgent, proxy: URL, trust: Trust, isSecure: boolean): void {
  const connecting = agent as unknown as ConnectingAgent
  connecting.createConnection = (options, created) => {
    const { host = '', port = 0 } = options
    openTunnel(proxy, { host, port: Number(port) }, trust).then(
      (socket) => {
        socket.setKeepAlive(true, keepAliveDelay)
        created(null, isSecure ? connectTls({ ...options, socket }) : socket)
      },
      (error: Error) => created(error),
    )
    return undefined
  }
}
