import type { WebSocket } from 'ws'
import { channels, type RuntimeStream, type StreamOptions } from './runtime-stream.js'

/** Back pressure: pause above the high mark, resume below the low mark. */
const highWater = 1024 * 1024
const lowWater = 256 * 1024

/** Relays frames between a client and a container in both directions, with back pressure. */
export function relay(client: WebSocket, runtime: RuntimeStream, options: StreamOptions): void {
  const isText = client.protocol.includes('base64')
  // Tells the client that it is connected before the command has output.
  client.send(framed(options.stdout ? channels.stdout : channels.error, Buffer.alloc(0), isText))
  fromClient(client, runtime, { ...options, isText })
  toClient(client, runtime, isText)
}

function toClient(client: WebSocket, runtime: RuntimeStream, isText: boolean): void {
  let isPaused = false
  let hasStatus = false
  const sent = () => {
    if (!isPaused || client.bufferedAmount > lowWater) return
    isPaused = false
    runtime.resume()
  }
  runtime.listen({
    frame(channel, bytes) {
      if (channel === channels.error) hasStatus = true
      if (client.readyState !== client.OPEN) return
      client.send(framed(channel, bytes, isText), sent)
      if (isPaused || client.bufferedAmount <= highWater) return
      isPaused = true
      runtime.pause()
    },
    // Without a status, the client must not assume success.
    end: () => (hasStatus ? client.close(1000) : client.close(1011, 'the runtime closed the connection')),
  })
}

function fromClient(
  client: WebSocket,
  runtime: RuntimeStream,
  { stdin, tty, isText }: StreamOptions & { readonly isText: boolean },
): void {
  let waiting = 0
  client.on('message', (data: Buffer) => {
    const { channel, bytes } = unframed(data, isText)
    if (channel === channels.close && bytes[0] === channels.stdin) return runtime.endInput()
    if (!(channel === channels.stdin && stdin) && !(channel === channels.resize && tty)) return
    waiting += bytes.length
    if (waiting > highWater) client.pause()
    runtime.send(channel, bytes, () => {
      waiting -= bytes.length
      if (waiting <= lowWater && client.isPaused) client.resume()
    })
  })
  client.on('error', () => {}) // a close follows
  client.once('close', () => runtime.close())
}

/** In the text form, the channel is a digit and the rest is base64. */
function framed(channel: number, bytes: Buffer, isText: boolean): Buffer | string {
  return isText ? `${channel}${bytes.toString('base64')}` : Buffer.concat([Uint8Array.of(channel), bytes])
}

function unframed(data: Buffer, isText: boolean): { readonly channel: number; readonly bytes: Buffer } {
  if (!isText) return { channel: data[0] ?? -1, bytes: data.subarray(1) }
  const text = data.toString()
  return { channel: Number(text.charAt(0) || -1), bytes: Buffer.from(text.slice(1), 'base64') }
}
