import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A connection to somewhere else that a test can cut, and mend, without touching either side. */
export class TcpProxy implements AsyncDisposable {
  readonly #target: { readonly host: string; readonly port: number }
  readonly #sockets = new Set<Socket>()
  #server: Server | undefined
  #port = 0
  #muffled = false
  /** How many bytes have come back so far. */
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

  /** Where to connect to: the same for the whole life of the proxy. */
  get address(): string {
    return `127.0.0.1:${this.#port}`
  }

  /** From now on until it is mended, requests go through and answers do not come back. */
  dropResponses(): void {
    this.#muffled = true
  }

  /** On the connections that there are, nothing is heard any more, and neither side is told. New ones are good. */
  stall(): void {
    for (const socket of this.#sockets) {
      socket.removeAllListeners('data')
      socket.pause()
    }
  }

  /** Breaks all connections the hard way. New ones are good. */
  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
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

  async restore(): Promise<void> {
    await this.cut()
    this.#muffled = false
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
      if (!this.#muffled) near.write(data)
    })
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      // Either side may break at any time, and takes the other one along: that is what a cable does.
      from.on('error', () => to.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        to.destroy()
      })
    }
  }
}
