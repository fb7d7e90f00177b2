import { connect, type TLSSocket } from 'node:tls'
import { closed, type DeliveryResult, hung, responseTimeout, streamReadTime } from './delivery-result.js'
import type { HostileRequest } from './hostile-request.js'
import {
  encodeHttp2Frame,
  type Http2Frame,
  headerBlock,
  http2Flags,
  http2FrameTypes,
  http2Preface,
  readHttp2Frames,
  statusInHeaderBlock,
} from './http2-frames.js'

/** The same over HTTP/2, frame by frame: Node's own client refuses to send most of what is of interest here. */
export class Http2Client {
  readonly #port: number
  #socket: TLSSocket | undefined
  #nextStream = 1
  #rest = Buffer.alloc(0)

  constructor(port: number) {
    this.#port = port
  }

  async send(request: HostileRequest): Promise<DeliveryResult> {
    const socket = await this.#connected()
    const stream = this.#nextStream
    this.#nextStream += 2
    const result = this.#result(socket, stream)
    for (const piece of framesOf(request, stream)) socket.write(piece)
    if (request.delivery === 'http2 cancelled') socket.write(ping)
    if (request.delivery === 'http2 frames') socket.end()
    return result
  }

  close(): void {
    this.#socket?.destroy()
  }

  async #connected(): Promise<TLSSocket> {
    if (this.#socket && !this.#socket.destroyed && this.#socket.writable) return this.#socket
    const socket = connect({ host: '127.0.0.1', port: this.#port, rejectUnauthorized: false, ALPNProtocols: ['h2'] })
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve).once('error', reject)
    })
    socket.removeAllListeners('error').on('error', () => {}) // 'close' follows, and is what counts
    socket.write(http2Preface)
    this.#socket = socket
    this.#nextStream = 1
    this.#rest = Buffer.alloc(0)
    return socket
  }

  #result(socket: TLSSocket, stream: number): Promise<DeliveryResult> {
    return new Promise((resolve) => {
      const response = new StreamAnswer(stream)
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
        this.#take(socket, response, chunk)
        if (response.result) settle(response.result, !response.goesAway)
        else if (response.goesAway) settle(closed, false)
        else if (response.hasBegun)
          streaming ??= setTimeout(() => settle({ is: 'streaming', status: 200 }, false), streamReadTime)
      })
    })
  }

  #take(socket: TLSSocket, response: StreamAnswer, chunk: Buffer): void {
    const { frames, rest } = readHttp2Frames(Buffer.concat([this.#rest, chunk]))
    this.#rest = Buffer.from(rest)
    for (const one of frames) {
      const reply = replyTo(one)
      if (reply) socket.write(reply)
      response.take(one)
    }
  }
}

/** What has come on one stream. */
class StreamAnswer {
  result: DeliveryResult | undefined
  hasBegun = false
  goesAway = false
  readonly #stream: number
  readonly #chunks: Buffer[] = []
  #status = 0

  constructor(stream: number) {
    this.#stream = stream
  }

  take({ type, flags: flagged, stream, content }: Http2Frame): void {
    if (type === http2FrameTypes.goAway) this.goesAway = true
    // Who cancels gets no response; but the connection is still served.
    if (type === http2FrameTypes.ping && (flagged & http2Flags.ack) !== 0) this.result = closed
    if (stream !== this.#stream) return
    if (type === http2FrameTypes.reset) this.result = closed
    if (type === http2FrameTypes.headers && !this.hasBegun) {
      this.hasBegun = true
      this.#status = statusInHeaderBlock(content)
    }
    if (type === http2FrameTypes.data) this.#chunks.push(Buffer.from(content))
    const isLast =
      (type === http2FrameTypes.data || type === http2FrameTypes.headers) && (flagged & http2Flags.endStream) !== 0
    if (isLast) this.result = this.#answered()
  }

  /** A status that is written out is that of the body, which tells it again. */
  #answered(): DeliveryResult {
    const body = Buffer.concat(this.#chunks).toString()
    const told = /"code":(\d{3})\}\s*$/.exec(body)?.[1]
    return { is: 'answered', status: this.#status || Number(told ?? 299), type: '', body }
  }
}

function replyTo({ type, flags: flagged, content }: Http2Frame): Buffer | undefined {
  if ((flagged & http2Flags.ack) !== 0) return undefined
  if (type === http2FrameTypes.settings)
    return encodeHttp2Frame({ type, flags: http2Flags.ack, stream: 0, content: Buffer.alloc(0) })
  return type === http2FrameTypes.ping
    ? encodeHttp2Frame({ type, flags: http2Flags.ack, stream: 0, content })
    : undefined
}

const ping = encodeHttp2Frame({ type: http2FrameTypes.ping, flags: 0, stream: 0, content: Buffer.alloc(8) })

/** No more fits into the window that every stream has at first. */
const mostBytes = 60_000
/** Nor into a frame. */
const frameBytes = 16_000

function framesOf(request: HostileRequest, stream: number): Buffer[] {
  const { method, target, headers, noise, delivery } = request
  const body = request.body.subarray(0, mostBytes)
  if (delivery === 'http2 frames') return [senselessFrame(noise, stream), senselessFrame(noise.subarray(7), stream)]
  const own = headers.filter(([name]) => name !== 'connection' && name !== 'host')
  const fields: [string, string][] = [
    [':method', method],
    [':scheme', 'https'],
    [':path', target],
    [':authority', 'a'],
  ]
  const block = headerBlock([...fields, ...own.map(([name, value]) => [name.toLowerCase(), value] as const)])
  const isEmpty = body.length === 0 && delivery !== 'http2 cancelled'
  const headFlags = http2Flags.endHeaders | (isEmpty ? http2Flags.endStream : 0)
  const frames = [encodeHttp2Frame({ type: http2FrameTypes.headers, flags: headFlags, stream, content: block })]
  for (let at = 0; at < body.length; at += frameBytes) {
    const isLast = at + frameBytes >= body.length && delivery !== 'http2 cancelled'
    const content = body.subarray(at, at + frameBytes)
    frames.push(
      encodeHttp2Frame({ type: http2FrameTypes.data, flags: isLast ? http2Flags.endStream : 0, stream, content }),
    )
  }
  const cancel = Buffer.from([0, 0, 0, 8])
  if (delivery === 'http2 cancelled')
    frames.push(encodeHttp2Frame({ type: http2FrameTypes.reset, flags: 0, stream, content: cancel }))
  return frames
}

/** Of a random type, with random flags, on this stream, another one or none. */
function senselessFrame(noise: Buffer, stream: number): Buffer {
  const type = noise[0]! % 12
  const where = [stream, 0, stream + 1, 0x7fffffff][noise[2]! % 4]!
  return encodeHttp2Frame({ type, flags: noise[1]!, stream: where, content: noise.subarray(3) })
}
