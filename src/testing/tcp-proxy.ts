import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A connection to somewhere else that a test can cut, and mend, without touching either side. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0

  private constructor(host: string, port: number) {
    this.#target = { host, port }
  }

  static async to(url: string): Promise<TcpProxy> {
    const { hostname, port } = new URL(url)
    const proxy = new TcpProxy(hostname, Number(port))
    await proxy.mend()
    return proxy
  }

  /** Where to connect to: the same for the whole life of the proxy. */
  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** Breaks all connections and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    for (const socket of this.#sockets) socket.destroy()
    if (!server) return
    server.close()
    await once(server, 'close')
  }

  async mend(): Promise<void> {
    this.#server = createServer((near) => this.#join(near, connect(this.#target)))
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.cut()
  }

  #join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.pipe(to)
      // Either side may break at any time, and takes the other one along: that is what a cable does.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
