import { Duplex } from 'node:stream'
import {
  controlFrame,
  dataFrame,
  fin,
  HeaderWriter,
  type SpdyFrame,
  spdyFrameTypes,
  takeFrames,
} from './spdy-frames.js'

/** Bytes that a stream may buffer before the whole connection waits for its reader. */
const maxUnread = 1 << 20
/** The maximum payload of a frame that we send, so that other streams do not wait long. */
const maxFrame = 1 << 16
/** The status code CANCEL of RST_STREAM. */
const cancelled = 5

/**
 * The client side of a SPDY/3.1 connection with several streams. Runtimes do not use flow control: a stream that is not read finally blocks
 * the others.
 */
export class SpdyConnection {
  readonly #socket: Duplex
  readonly #headers = new HeaderWriter()
  readonly #streams = new Map<number, SpdyStream>()
  /** Streams with slow readers. While there is one, nothing is read. */
  readonly #behind = new Set<SpdyStream>()
  #nextId = 1
  #rest: Buffer
  /** Resolves when the connection is closed, by either side. */
  readonly closed: Promise<void>

  constructor(socket: Duplex, head: Buffer = Buffer.alloc(0)) {
    this.#socket = socket
    this.#rest = head
    socket.on('error', () => {}) // 'close' follows
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        this.#gone()
        resolve()
      })
      socket.once('end', () => socket.destroy())
      if (socket.destroyed) resolve()
    })
    if (head.length > 0) this.#receive(Buffer.alloc(0))
  }

  /** Opens a stream. It can be written to before the peer has accepted it. */
  open(headers: Readonly<Record<string, string>>): Duplex {
    const id = this.#nextId
    this.#nextId += 2
    const ids = Buffer.alloc(10) // the stream, no associated stream, no priority
    ids.writeUInt32BE(id)
    this.#socket.write(controlFrame(spdyFrameTypes.synStream, Buffer.concat([ids, this.#headers.block(headers)])))
    const stream = new SpdyStream({
      send: (bytes, sent) => this.#socket.write(dataFrame(id, bytes), sent),
      end: (sent) => this.#socket.write(dataFrame(id, Buffer.alloc(0), fin), sent),
      reset: () => this.#reset(id),
      read: () => this.#caughtUp(stream),
      gone: () => this.#forget(id, stream),
    })
    this.#streams.set(id, stream)
    if (this.#socket.destroyed) stream.destroy()
    return stream
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(bytes: Buffer): void {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    this.#rest = takeFrames(all, (frame) => this.#take(frame))
  }

  #take(frame: SpdyFrame): void {
    if (frame.is === 'data') this.#takeData(frame.streamId, frame.payload, (frame.flags & fin) !== 0)
    else this.#takeControl(frame.type, frame.payload, (frame.flags & fin) !== 0)
  }

  #takeControl(type: number, payload: Buffer, isLast: boolean): void {
    if (type === spdyFrameTypes.ping) this.#socket.write(controlFrame(spdyFrameTypes.ping, payload))
    if (type === spdyFrameTypes.goAway) this.#socket.destroy()
    if (type === spdyFrameTypes.rstStream) this.#streams.get(streamId(payload))?.wasReset()
    if (type === spdyFrameTypes.synReply && isLast) this.#streams.get(streamId(payload))?.receive(null)
  }

  #takeData(id: number, payload: Buffer, isLast: boolean): void {
    const stream = this.#streams.get(id)
    if (!stream) return
    if (payload.length > 0 && !stream.receive(payload)) this.#fellBehind(stream)
    if (isLast) stream.receive(null)
  }

  #fellBehind(stream: SpdyStream): void {
    this.#behind.add(stream)
    this.#socket.pause()
  }

  #caughtUp(stream: SpdyStream): void {
    if (this.#behind.delete(stream) && this.#behind.size === 0) this.#socket.resume()
  }

  #reset(id: number): void {
    if (this.#socket.destroyed) return
    const payload = Buffer.alloc(8)
    payload.writeUInt32BE(id)
    payload.writeUInt32BE(cancelled, 4)
    this.#socket.write(controlFrame(spdyFrameTypes.rstStream, payload))
  }

  #forget(id: number, stream: SpdyStream): void {
    this.#streams.delete(id)
    this.#caughtUp(stream)
  }

  #gone(): void {
    for (const stream of [...this.#streams.values()]) stream.destroy()
  }
}

function streamId(payload: Buffer): number {
  return payload.readUInt32BE() & 0x7fff_ffff
}

interface StreamEnd {
  send(bytes: Buffer, sent: (error?: Error | null) => void): void
  end(sent: (error?: Error | null) => void): void
  reset(): void
  /** The reader wants more. */
  read(): void
  gone(): void
}

/** A stream that is destroyed before both sides have ended it is reset. */
class SpdyStream extends Duplex {
  readonly #end: StreamEnd
  #isOver = { here: false, there: false }

  constructor(end: StreamEnd) {
    super({ allowHalfOpen: true, readableHighWaterMark: maxUnread })
    this.#end = end
  }

  /** Pushes received bytes; null for the end. Returns false if the reader is slow. */
  receive(bytes: Buffer | null): boolean {
    if (this.#isOver.there || this.destroyed) return true
    if (bytes === null) this.#isOver.there = true
    return this.push(bytes) || bytes === null
  }

  /** The peer reset the stream: received bytes can still be read, written bytes are dropped. */
  wasReset(): void {
    this.#isOver.here = true
    this.receive(null)
  }

  override _read(): void {
    this.#end.read()
  }

  override _write(chunk: Buffer, _encoding: string, written: (error?: Error | null) => void): void {
    if (this.#isOver.here) written()
    else this.#send(chunk, written)
  }

  #send(chunk: Buffer, written: (error?: Error | null) => void): void {
    const last = chunk.length - (chunk.length % maxFrame || maxFrame)
    for (let at = 0; at < last; at += maxFrame) this.#end.send(chunk.subarray(at, at + maxFrame), () => {})
    this.#end.send(chunk.subarray(Math.max(last, 0)), written)
  }

  override _final(ended: (error?: Error | null) => void): void {
    const isOver = this.#isOver.here
    this.#isOver.here = true
    if (isOver) ended()
    else this.#end.end(ended)
  }

  override _destroy(error: Error | null, destroyed: (error?: Error | null) => void): void {
    if (!this.#isOver.here || !this.#isOver.there) this.#end.reset()
    this.#end.gone()
    destroyed(error)
  }
}
