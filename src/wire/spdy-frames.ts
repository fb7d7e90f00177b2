/** SPDY/3.1, as far as container runtimes use it: several streams of bytes on one connection. */

export const spdyFrameTypes = { synStream: 1, synReply: 2, rstStream: 3, settings: 4, ping: 6, goAway: 7 } as const
export const fin = 0x01

const version = 3
const headLength = 8

export type SpdyFrame =
  | { readonly is: 'data'; readonly streamId: number; readonly flags: number; readonly payload: Buffer }
  | { readonly is: 'control'; readonly type: number; readonly flags: number; readonly payload: Buffer }

export function dataFrame(streamId: number, bytes: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(headLength)
  head.writeUInt32BE(streamId)
  head.writeUInt32BE(((flags << 24) | bytes.length) >>> 0, 4)
  return Buffer.concat([head, bytes])
}

export function controlFrame(type: number, payload: Uint8Array, flags = 0): Buffer {
  const head = Buffer.alloc(headLength)
  head.writeUInt16BE(0x8000 | version)
  head.writeUInt16BE(type, 2)
  head.writeUInt32BE(((flags << 24) | payload.length) >>> 0, 4)
  return Buffer.concat([head, payload])
}

/** Calls `take` for each complete frame in the bytes. Returns the remaining bytes. */
export function takeFrames(bytes: Buffer, take: (frame: SpdyFrame) => void): Buffer {
  let rest = bytes
  while (rest.length >= headLength) {
    const length = rest.readUInt32BE(4) & 0xff_ffff
    if (rest.length < headLength + length) break
    const payload = rest.subarray(headLength, headLength + length)
    const flags = rest[4]!
    const first = rest.readUInt32BE()
    if (first >>> 31 === 0) take({ is: 'data', streamId: first, flags, payload })
    else take({ is: 'control', type: first & 0xffff, flags, payload })
    rest = rest.subarray(headLength + length)
  }
  return rest
}

const zlibHead = Buffer.of(0x78, 0x01)
/** An empty block, which tells the reader to decompress everything so far. */
const flushMark = Buffer.of(0, 0, 0, 0xff, 0xff)

/**
 * Writes blocks of headers, which are one compressed stream over the whole connection. Compression gains nothing for few headers: they are
 * written as uncompressed blocks of that stream.
 */
export class HeaderWriter {
  #isFirst = true

  block(headers: Readonly<Record<string, string>>): Buffer {
    const plain = plainBlock(Object.entries(headers))
    const piece = Buffer.alloc(5) // not the last block, not compressed, and its length twice
    piece.writeUInt16LE(plain.length, 1)
    piece.writeUInt16LE(~plain.length & 0xffff, 3)
    const head = this.#isFirst ? zlibHead : Buffer.alloc(0)
    this.#isFirst = false
    return Buffer.concat([head, piece, plain, flushMark])
  }
}

function plainBlock(headers: readonly (readonly [string, string])[]): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(headers.length)
  return Buffer.concat([count, ...headers.flatMap(([name, value]) => [text(name.toLowerCase()), text(value)])])
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
