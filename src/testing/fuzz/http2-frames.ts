/** As much of HTTP/2 as it takes to ask things that no library would ask. */
export interface Http2Frame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly content: Buffer
}

export const http2FrameTypes = {
  data: 0,
  headers: 1,
  reset: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  windowUpdate: 8,
} as const
export const http2Flags = { ack: 1, endStream: 1, endHeaders: 4, padded: 8, priority: 32 } as const

export function encodeHttp2Frame({ type, flags: flagged, stream, content }: Http2Frame): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(content.length, 0, 3)
  head[3] = type
  head[4] = flagged
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, content])
}

/** The frames that are whole, and what is left. */
export function readHttp2Frames(bytes: Buffer): { readonly frames: readonly Http2Frame[]; readonly rest: Buffer } {
  const frames: Http2Frame[] = []
  let at = 0
  while (bytes.length - at >= 9) {
    const end = at + 9 + bytes.readUIntBE(at, 3)
    if (end > bytes.length) break
    const stream = bytes.readUInt32BE(at + 5) & 0x7fffffff
    frames.push({ type: bytes[at + 3]!, flags: bytes[at + 4]!, stream, content: bytes.subarray(at + 9, end) })
    at = end
  }
  return { frames, rest: bytes.subarray(at) }
}

/** The beginning of a connection: windows so large that nobody ever waits for one. */
export const http2Preface: Buffer = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  encodeHttp2Frame({
    type: http2FrameTypes.settings,
    flags: 0,
    stream: 0,
    content: Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff]),
  }),
  encodeHttp2Frame({ type: http2FrameTypes.windowUpdate, flags: 0, stream: 0, content: Buffer.from([0x7f, 0, 0, 0]) }),
])

/** Header fields as literals, names and all: nothing is looked up and nothing remembered. */
export function headerBlock(fields: readonly (readonly [string, string])[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0]), literal(name), literal(value)]))
}

function literal(given: string): Buffer {
  const bytes = Buffer.from(given, 'latin1')
  return Buffer.concat([integer(bytes.length), bytes])
}

/** With a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value])
  const bytes = [127]
  let rest = value - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** Those that have a number of their own; others are written out, which is not read here. */
const numbered = [200, 204, 206, 304, 400, 404, 500]

/** The status at the beginning of a header block; 0 where it is written out. */
export function statusInHeaderBlock(block: Buffer): number {
  return numbered[block[0]! - 0x88] ?? 0
}
