import { connect, type TLSSocket } from 'node:tls'
import { closed, hung, type Outcome, patience, streamPatience } from './delivery-result.js'
import type { HostileRequest } from './hostile-request.js'
import { type Frame, flags, frame, frameTypes, headerBlock, preface, readFrames, statusOf } from './http2-frames.js'

/** The same over HTTP/2, frame by frame: Node's own client refuses to send most of what is of interest here. */
export class Http2Client {
  readonly #port: number
  #socket: TLSSocket | undefined
  #nextStream = 1
  #rest = Buffer.alloc(0)

  constructor(port: number) {
    this.#port = port
  }

  async send(request: HostileRequest): Promise<Outcome> {
    const socket = await this.#connected()
    const stream = this.#nextStream
    this.#nextStream += 2
    const outcome = this.#outcome(socket, stream)
    for (const piece of framesOf(request, stream)) socket.write(piece)
    if (request.delivery === 'http2 cancelled') socket.write(ping)
    if (request.delivery === 'http2 frames') socket.end()
    return outcome
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
    socket.write(preface)
    this.#socket = socket
    this.#nextStream = 1
    this.#rest = Buffer.alloc(0)
    return socket
  }

  #outcome(socket: TLSSocket, stream: number): Promise<Outcome> {
    return new Promise((resolve) => {
      const answer = new StreamAnswer(stream)
      let streaming: NodeJS.Timeout | undefined
      const settle = (outcome: Outcome, keep: boolean) => {
        clearTimeout(streaming)
        clearTimeout(deadline)
        socket.removeAllListeners('data').removeAllListeners('close')
        if (!keep) socket.destroy()
        resolve(outcome)
      }
      const deadline = setTimeout(() => settle(hung, false), patience)
      socket.on('close', () => settle(closed, false))
      socket.on('data', (chunk: Buffer) => {
        this.#take(socket, answer, chunk)
        if (answer.outcome) settle(answer.outcome, !answer.goesAway)
        else if (answer.goesAway) settle(closed, false)
        else if (answer.hasBegun)
          streaming ??= setTimeout(() => settle({ is: 'streaming', status: 200 }, false), streamPatience)
      })
    })
  }

  #take(socket: TLSSocket, answer: StreamAnswer, chunk: Buffer): void {
    const { frames, rest } = readFrames(Buffer.concat([this.#rest, chunk]))
    this.#rest = Buffer.from(rest)
    for (const one of frames) {
      const reply = replyTo(one)
      if (reply) socket.write(reply)
      answer.take(one)
    }
  }
}

/** What has come on one stream. */
class StreamAnswer {
  outcome: Outcome | undefined
  hasBegun = false
  goesAway = false
  readonly #stream: number
  readonly #chunks: Buffer[] = []
  #status = 0

  constructor(stream: number) {
    this.#stream = stream
  }

  take({ type, flags: flagged, stream, content }: Frame): void {
    if (type === frameTypes.goAway) this.goesAway = true
    // Who cancels gets no answer; but the connection is still served.
    if (type === frameTypes.ping && (flagged & flags.ack) !== 0) this.outcome = closed
    if (stream !== this.#stream) return
    if (type === frameTypes.reset) this.outcome = closed
    if (type === frameTypes.headers && !this.hasBegun) {
      this.hasBegun = true
      this.#status = statusOf(content)
    }
    if (type === frameTypes.data) this.#chunks.push(Buffer.from(content))
    const isLast = (type === frameTypes.data || type === frameTypes.headers) && (flagged & flags.endStream) !== 0
    if (isLast) this.outcome = this.#answered()
  }

  /** A status that is written out is that of the body, which tells it again. */
  #answered(): Outcome {
    const body = Buffer.concat(this.#chunks).toString()
    const told = /"code":(\d{3})\}\s*$/.exec(body)?.[1]
    return { is: 'answered', status: this.#status || Number(told ?? 299), type: '', body }
  }
}

function replyTo({ type, flags: flagged, content }: Frame): Buffer | undefined {
  if ((flagged & flags.ack) !== 0) return undefined
  if (type === frameTypes.settings) return frame({ type, flags: flags.ack, stream: 0, content: Buffer.alloc(0) })
  return type === frameTypes.ping ? frame({ type, flags: flags.ack, stream: 0, content }) : undefined
}

const ping = frame({ type: frameTypes.ping, flags: 0, stream: 0, content: Buffer.alloc(8) })

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
  const headFlags = flags.endHeaders | (isEmpty ? flags.endStream : 0)
  const frames = [frame({ type: frameTypes.headers, flags: headFlags, stream, content: block })]
  for (let at = 0; at < body.length; at += frameBytes) {
    const isLast = at + frameBytes >= body.length && delivery !== 'http2 cancelled'
    const content = body.subarray(at, at + frameBytes)
    frames.push(frame({ type: frameTypes.data, flags: isLast ? flags.endStream : 0, stream, content }))
  }
  const cancel = Buffer.from([0, 0, 0, 8])
  if (delivery === 'http2 cancelled') frames.push(frame({ type: frameTypes.reset, flags: 0, stream, content: cancel }))
  return frames
}

/** Of a random type, with random flags, on this stream, another one or none. */
function senselessFrame(noise: Buffer, stream: number): Buffer {
  const type = noise[0]! % 12
  const where = [stream, 0, stream + 1, 0x7fffffff][noise[2]! % 4]!
  return frame({ type, flags: noise[1]!, stream: where, content: noise.subarray(3) })
}
