import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { quote } from '../../schema/quote.js'
import { endpoint } from '../../wire/network-words.js'
import type { SpdyConnection } from '../../wire/spdy-connection.js'
import { errorMessage } from '../command-errors.js'
import type { KubectlEnvironment } from '../environment.js'
import { logHead } from '../factory/request-log.js'
import type { ForwardedPort, ListenAddress } from './ports.js'

type Told = Pick<KubectlEnvironment, 'out' | 'err' | 'clock' | 'pid'>

/** Listens on local ports and forwards each connection through the tunnel to a port of the pod. */
export class PortForwarder {
  readonly #tunnel: SpdyConnection
  readonly #told: Told
  readonly #servers: Server[] = []
  readonly #connections = new Set<Socket>()
  /** The request ID that connects the data stream with its error stream. */
  #nextRequest = 0

  constructor(tunnel: SpdyConnection, told: Told) {
    this.#tunnel = tunnel
    this.#told = told
  }

  /** Throws if no port can be opened; reports the others. */
  async listen(addresses: readonly ListenAddress[], ports: readonly ForwardedPort[]): Promise<void> {
    const failed: ForwardedPort[] = []
    for (const port of ports)
      try {
        await this.#listenOn(addresses, port)
      } catch (error) {
        failed.push(port)
        await this.#told.err(`Unable to listen on port ${port.local}: ${errorMessage(error)}\n`)
      }
    if (failed.length < ports.length) return
    const all = ports.map(({ local, remote }) => `{${local} ${remote}}`).join(' ')
    throw new Error(`unable to listen on any of the requested ports: [${all}]`)
  }

  /** A random port is the same on all addresses. */
  async #listenOn(addresses: readonly ListenAddress[], port: ForwardedPort): Promise<void> {
    const errors: string[] = []
    let { local } = port
    let isWanted = false
    let optional = 0
    for (const { host, isOptional } of addresses)
      try {
        local = await this.#serve(host, { ...port, local })
        if (isOptional) optional++
      } catch (error) {
        errors.push(`unable to create listener: Error ${listenErrorText(error as NodeJS.ErrnoException, host, local)}`)
        if (!isOptional) isWanted = true
      }
    const isMissing = optional === 0 && addresses.some(({ isOptional }) => isOptional)
    if (errors.length > 0 && (isWanted || isMissing))
      throw new Error(`Listeners failed to create with the following errors: [${errors.join(' ')}]`)
  }

  async #serve(host: string, port: ForwardedPort): Promise<number> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true })
    server.listen({ host, port: port.local, ipv6Only: true })
    await once(server, 'listening')
    this.#servers.push(server)
    const local = (server.address() as AddressInfo).port
    server.on('connection', (socket) => void this.#handle(socket, { ...port, local }))
    await this.#told.out(`Forwarding from ${endpoint(host, local)} -> ${port.remote}\n`)
    return local
  }

  async #handle(socket: Socket, { local, remote }: ForwardedPort): Promise<void> {
    this.#connections.add(socket)
    socket.on('error', () => {}) // a close follows
    socket.once('close', () => this.#connections.delete(socket))
    await this.#told.out(`Handling connection for ${local}\n`)
    const headers = { port: String(remote), requestid: String(this.#nextRequest++) }
    const errors = this.#tunnel.open({ ...headers, streamtype: 'error' }).end()
    const said = text(errors).catch(() => '') // the connection is gone, which is told once and for all
    await join(socket, this.#tunnel.open({ ...headers, streamtype: 'data' }))
    const error = await said
    if (error !== '') await this.#fail(error, { local, remote })
  }

  /** Ends the forwarding after a failed connection: the pod may have been replaced. */
  async #fail(error: string, { local, remote }: ForwardedPort): Promise<void> {
    const { clock, pid, err } = this.#told
    const details = `err=${quote(error)} localPort=${local} remotePort=${remote}`
    await err(`${logHead('E', clock.now(), pid)} port-forward.ts] "An error occurred forwarding" ${details}\n`)
    this.#tunnel.close()
  }

  close(): void {
    for (const server of this.#servers) server.close()
    for (const socket of this.#connections) socket.destroy()
  }
}

/** Resolves when the pod closes the connection or the client is gone. The client may finish sending earlier. */
async function join(socket: Socket, stream: Duplex): Promise<void> {
  stream.on('error', () => {}) // a close follows
  await new Promise<void>((resolve) => {
    stream.once('end', resolve)
    stream.once('close', resolve)
    socket.once('close', () => resolve())
    socket.pipe(stream).pipe(socket)
  })
  socket.destroySoon()
  stream.destroy()
}

const bindReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'bind: address already in use',
  EACCES: 'bind: permission denied',
  EADDRNOTAVAIL: 'bind: cannot assign requested address',
  EAFNOSUPPORT: 'socket: address family not supported by protocol',
}

/** `listen tcp4 127.0.0.1:80: bind: permission denied` */
function listenErrorText({ code = '', message: said }: NodeJS.ErrnoException, host: string, port: number): string {
  const family = host.includes(':') ? 'tcp6' : 'tcp4'
  return `listen ${family} ${endpoint(host, port)}: ${bindReasons[code] ?? said}`
}
