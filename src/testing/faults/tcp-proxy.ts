import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy whose connections a test can cut and restore without touching either side. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #dropsResponses = false
  /** The number of bytes received from the target so far. */
  bytesReceived = 0

  private constructor(host: string, port: number) {
    this.#target = { host, port }
  }

  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url)
    const proxy = new TcpProxy(hostname, Number(port))
    await proxy.restore()
    return proxy
  }

  /** The address to connect to. It never changes. */
  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** Forwards requests and drops responses, until `restore`. */
  dropResponses(): void {
    this.#dropsResponses = true
  }

  /** Stops all traffic on open connections without closing them. New connections work. */
  stall(): void {
    for (const socket of this.#sockets) {
      socket.removeAllListeners('data')
      socket.pause()
    }
  }

  /** Resets all connections. New connections work. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Closes all connections and rejects new ones. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (!server) return
    server.close()
    await once(server, 'close')
  }

  async restore(): Promise<void> {
    await this.cut()
    this.#dropsResponses = false
    this.#server = createServer((near) => this.#join(near, connect(this.#target)))
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cut()
  }

  #join(near: Socket, far: Socket): void {
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => {
      this.bytesReceived += data.length
      if (!this.#dropsResponses) near.write(data)
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      // Either side may fail at any time. The proxy then closes the other side, as a broken cable does.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
