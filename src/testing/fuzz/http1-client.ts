import { setTimeout as pause } from 'node:timers/promises'
import { connect, type TLSSocket } from 'node:tls'
import { closed, type DeliveryResult, hung, responseTimeout, streamReadTime } from './delivery-result.js'
import type { HostileRequest } from './hostile-request.js'
import { readRawResponse } from './raw-response.js'

/** Sends requests over HTTP/1.1 exactly as they are, and returns their results. Reuses its connection if possible. */
export class Http1Client {
  readonly #port: number
  #socket: TLSSocket | undefined

  constructor(port: number) {
    this.#port = port
  }

  async send(request: HostileRequest): Promise<DeliveryResult> {
    const socket = await this.#connected()
    const result = this.#result(socket, request)
    await deliver(socket, request)
    return result
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #connected(): Promise<TLSSocket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    const socket = connect({
      host: '127.0.0.1',
      port: this.#port,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject)
    })
    socket.removeAllListeners('error').on('error', () => {}) // 'close' follows, and is what counts
    this.#socket = socket
    return socket
  }

  #result(socket: TLSSocket, { method, delivery }: HostileRequest): Promise<DeliveryResult> {
    return new Promise((resolve) => {
      let bytes = Buffer.alloc(0)
      let streaming: NodeJS.Timeout | undefined
      const settle = (result: DeliveryResult, keep: boolean) => {
        clearTimeout(streaming)
        clearTimeout(deadline)
        socket.removeAllListeners('data').removeAllListeners('close')
        if (!keep) socket.destroy()
        resolve(result)
      }
      const deadline = setTimeout(() => settle(hung, false), responseTimeout)
      socket.on('close', () => settle(closed, false))
      socket.on('data', (chunk: Buffer) => {
        bytes = Buffer.concat([bytes, chunk])
        const response = readRawResponse(bytes, method === 'HEAD')
        if (!response) return
        const { status, type, body } = response
        if (response.isWhole) settle({ is: 'answered', status, type, body }, response.keepsAlive && isFramed(delivery))
        else streaming ??= setTimeout(() => settle({ is: 'streaming', status }, false), streamReadTime)
      })
    })
  }
}

/** Only after these deliveries is it clear where the next request begins. */
function isFramed(delivery: HostileRequest['delivery']): boolean {
  return delivery === 'whole' || delivery === 'slowly' || delivery === 'chunked'
}

async function deliver(socket: TLSSocket, request: HostileRequest): Promise<void> {
  const { body, noise, delivery } = request
  const plain = Buffer.concat([head(request, [['content-length', String(body.length)]]), body])
  switch (delivery) {
    case 'slowly':
      return deliverSlowly(socket, plain)
    case 'chunked':
      return void socket.write(Buffer.concat([head(request, [chunked]), chunksOf(body), Buffer.from('0\r\n\r\n')]))
    case 'bad chunks':
      socket.write(Buffer.concat([head(request, [chunked]), chunksOf(body), noise]))
      return void socket.end()
    case 'truncated':
      return void socket.end(
        Buffer.concat([head(request, [['content-length', String(body.length + 1 + noise.length)]]), body]),
      )
    case 'cut off':
      socket.write(Buffer.concat([head(request, [['content-length', String(body.length + 1)]]), body]))
      await pause(2)
      return void socket.destroy()
    case 'overlong':
      socket.write(Buffer.concat([plain, noise]))
      return void socket.end()
    case 'ambiguous':
      socket.write(
        Buffer.concat([head(request, [['content-length', String(body.length)], chunked]), chunksOf(body), body]),
      )
      return void socket.end()
    case 'noise':
      return void socket.end(noise)
    default:
      return void socket.write(plain)
  }
}

const chunked = ['transfer-encoding', 'chunked'] as const

function head({ method, target, headers }: HostileRequest, more: readonly (readonly [string, string])[]): Buffer {
  const lines = [...headers, ...more].map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1')
}

function chunksOf(body: Buffer): Buffer {
  if (body.length === 0) return body
  const half = Math.ceil(body.length / 2)
  const chunk = (part: Buffer) =>
    Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n')])
  return body.length < 2 ? chunk(body) : Buffer.concat([chunk(body.subarray(0, half)), chunk(body.subarray(half))])
}

async function deliverSlowly(socket: TLSSocket, bytes: Buffer): Promise<void> {
  const step = Math.ceil(bytes.length / 4)
  for (let at = 0; at < bytes.length && !socket.destroyed; at += step) {
    socket.write(bytes.subarray(at, at + step))
    await pause(3)
  }
}
