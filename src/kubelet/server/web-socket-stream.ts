import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { channels, ProtocolUnsupportedError, type RuntimeStream, type StreamListener } from './runtime-stream.js'

/** Connects to a container over WebSocket. Only `v5` can close the input. */
export async function webSocketStream(url: string, version: 'v4' | 'v5'): Promise<RuntimeStream> {
  const socket = new WebSocket(url.replace(/^http/, 'ws'), [`${version}.channel.k8s.io`], { perMessageDeflate: false })
  const stream = new WebSocketStream(socket, version)
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', (error) => reject(new ProtocolUnsupportedError(error.message, { cause: error })))
    socket.once('unexpected-response', (request, response) => {
      reject(new ProtocolUnsupportedError(describeResponse(response)))
      request.destroy()
    })
  })
  return stream
}

function describeResponse({ statusCode, statusMessage }: IncomingMessage): string {
  return `the runtime responded ${statusCode} ${statusMessage}`
}

class WebSocketStream implements RuntimeStream {
  readonly #socket: WebSocket
  readonly #version: 'v4' | 'v5'
  /** Frames that arrived before `listen`. */
  #early: Buffer[] = []
  #listener: StreamListener | undefined
  #isEnded = false

  constructor(socket: WebSocket, version: 'v4' | 'v5') {
    this.#socket = socket
    this.#version = version
    socket.on('message', (data: Buffer) => (this.#listener ? this.#take(data) : this.#early.push(data)))
    socket.on('error', () => {}) // a close follows
    socket.once('close', () => {
      this.#isEnded = true
      this.#listener?.end()
    })
  }

  listen(listener: StreamListener): void {
    this.#listener = listener
    for (const data of this.#early.splice(0)) this.#take(data)
    if (this.#isEnded) listener.end()
  }

  send(channel: number, bytes: Buffer, sent: () => void): void {
    if (this.#socket.readyState !== WebSocket.OPEN) sent()
    else this.#socket.send(Buffer.concat([Uint8Array.of(channel), bytes]), { binary: true }, () => sent())
  }

  endInput(): void {
    if (this.#version === 'v5') this.send(channels.close, Buffer.of(channels.stdin), () => {})
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.terminate()
  }

  #take(data: Buffer): void {
    if (data.length > 1) this.#listener!.frame(data[0]!, data.subarray(1))
  }
}
