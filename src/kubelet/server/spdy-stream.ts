import type { Duplex } from 'node:stream'
import {
  controlFrame,
  dataFrame,
  fin,
  HeaderWriter,
  type SpdyFrame,
  spdyFrameTypes,
  takeFrames,
} from '../../wire/spdy-frames.js'
import { upgrade } from './raw-upgrade.js'
import {
  channels,
  ProtocolUnsupportedError,
  type RuntimeStream,
  type StreamListener,
  type StreamOptions,
} from './runtime-stream.js'

/** Connects over SPDY, for runtimes that cannot close a command's input over a WebSocket. */
export async function spdyStream(url: string, options: StreamOptions, signal: AbortSignal): Promise<RuntimeStream> {
  const headers = { Connection: 'Upgrade', Upgrade: 'SPDY/3.1', 'X-Stream-Protocol-Version': 'v4.channel.k8s.io' }
  const upgraded = await upgrade(url, { method: 'POST', headers, signal })
  if (upgraded.socket) return new SpdyStream(upgraded.socket, upgraded.head, options)
  upgraded.response.destroy()
  throw new ProtocolUnsupportedError(
    `the runtime responded ${upgraded.response.statusCode} ${upgraded.response.statusMessage}`,
  )
}

/** The error channel is always open: it carries the exit status. */
function wantedChannels({ stdin, stdout, stderr, tty }: StreamOptions): readonly (keyof typeof channels)[] {
  const wanted = { error: true, stdin, stdout, stderr: stderr && !tty, resize: tty }
  return (Object.keys(wanted) as (keyof typeof wanted)[]).filter((name) => wanted[name])
}

class SpdyStream implements RuntimeStream {
  readonly #socket: Duplex
  readonly #streamOf = new Map<number, number>()
  readonly #channelOf = new Map<number, number>()
  /** Channels that can still receive data. */
  readonly #open = new Set<number>()
  #rest: Buffer
  #listener: StreamListener | undefined

  constructor(socket: Duplex, head: Buffer, options: StreamOptions) {
    this.#socket = socket
    this.#rest = head
    const headers = new HeaderWriter()
    for (const [index, name] of wantedChannels(options).entries()) this.#begin(2 * index + 1, name, headers)
    socket.on('error', () => {}) // a close follows
    socket.once('close', () => this.#listener?.end())
  }

  #begin(streamId: number, name: keyof typeof channels, headers: HeaderWriter): void {
    const ids = Buffer.alloc(10) // stream id, no associated stream, no priority
    ids.writeUInt32BE(streamId)
    this.#socket.write(
      controlFrame(spdyFrameTypes.synStream, Buffer.concat([ids, headers.block({ streamtype: name })])),
    )
    this.#streamOf.set(channels[name], streamId)
    this.#channelOf.set(streamId, channels[name])
    if (name !== 'stdin' && name !== 'resize') this.#open.add(channels[name])
  }

  listen(listener: StreamListener): void {
    this.#listener = listener
    this.#socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.#receive(Buffer.alloc(0))
    if (this.#socket.destroyed) listener.end()
  }

  send(channel: number, bytes: Buffer, sent: () => void): void {
    const streamId = this.#streamOf.get(channel)
    if (streamId === undefined || this.#socket.destroyed) sent()
    else this.#socket.write(dataFrame(streamId, bytes), () => sent())
  }

  endInput(): void {
    const streamId = this.#streamOf.get(channels.stdin)
    if (streamId === undefined || this.#socket.destroyed) return
    this.#streamOf.delete(channels.stdin)
    this.#socket.write(dataFrame(streamId, Buffer.alloc(0), fin))
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    this.#rest = takeFrames(all, (frame) => this.#take(frame))
  }

  #take(frame: SpdyFrame): void {
    if (frame.is === 'data') this.#takeData(frame.streamId, frame)
    else this.#takeControl(frame.type, frame.payload)
  }

  #takeControl(type: number, payload: Buffer): void {
    if (type === spdyFrameTypes.ping) this.#socket.write(controlFrame(spdyFrameTypes.ping, payload))
    if (type === spdyFrameTypes.goAway) this.#socket.destroy()
    if (type === spdyFrameTypes.rstStream) this.#closed(payload.readUInt32BE() & 0x7fff_ffff)
  }

  #takeData(streamId: number, { payload, flags }: { readonly payload: Buffer; readonly flags: number }): void {
    const channel = this.#channelOf.get(streamId)
    if (channel === undefined) return
    if (payload.length > 0) this.#listener!.frame(channel, payload)
    if (flags & fin) this.#closed(streamId)
  }

  /** The command has ended when all channels are closed. */
  #closed(streamId: number): void {
    this.#open.delete(this.#channelOf.get(streamId)!)
    if (this.#open.size === 0) this.#socket.destroy()
  }
}
