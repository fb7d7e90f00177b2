/**
 * DER, the byte form of certificates: a tag, the length of the content, the content. Only the types that certificates and certificate
 * requests need.
 */
export type Der = Buffer

export const derTag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** The last field of a certificate request. */
  attributes: 0xa0,
} as const

/** Encodes values. */
export const der = {
  sequence: (...parts: readonly Der[]): Der => encode(derTag.sequence, ...parts),
  set: (...parts: readonly Der[]): Der => encode(derTag.set, ...parts),
  /** Not negative. A byte of zero goes before a number whose highest bit is set, because that would be a sign. */
  integer(number: bigint): Der {
    const bytes = bigEndian(number)
    return encode(derTag.integer, bytes[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
  },
  boolean: (value: boolean): Der => encode(derTag.boolean, Buffer.from([value ? 0xff : 0])),
  bytes: (content: Uint8Array): Der => encode(derTag.octetString, content),
  /** The last `unused` bits do not count. */
  bits: (content: Uint8Array, unused = 0): Der => encode(derTag.bitString, Buffer.from([unused]), content),
  null: Buffer.from([0x05, 0]) as Der,
  text: (content: string): Der => encode(derTag.utf8String, Buffer.from(content)),
  /** `1.2.840.10045.4.3.2` */
  identifier(dotted: string): Der {
    const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
    return encode(derTag.objectIdentifier, Buffer.from([40 * first + second, ...rest.flatMap(base128)]))
  },
  /** In seconds. From 2050 on, years have four digits and another tag. */
  time(milliseconds: number): Der {
    const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '')
    if (digits < '2050') return encode(derTag.utcTime, Buffer.from(digits.slice(2)))
    return encode(derTag.generalizedTime, Buffer.from(digits))
  },
  /** A value with a context-specific tag around it. */
  explicit: (number: number, content: Der): Der => encode(0xa0 | number, content),
  /** A content with a context-specific tag in place of its own. */
  implicit: (number: number, content: Uint8Array): Der => encode(0x80 | number, content),
}

function encode(tag: number, ...parts: readonly Uint8Array[]): Der {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthBytes(content.length), content])
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = bigEndian(BigInt(length))
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

function bigEndian(number: bigint): Buffer {
  const text = number.toString(16)
  return Buffer.from(text.padStart(text.length + (text.length % 2), '0'), 'hex')
}

/** Seven bits per byte; the highest bit is set if more bytes follow. */
function base128(number: number): number[] {
  const groups = [number & 0x7f]
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

/** The bytes are not DER, or have another structure than expected. */
export class DerError extends Error {}

export interface DerValue {
  readonly tag: number
  /** With tag and length. */
  readonly whole: Buffer
  readonly content: Buffer
}

/** Decodes the values that follow each other in `bytes`. Throws a `DerError` if the last one is truncated. */
export function derValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = readValue(bytes.subarray(at))
    values.push(value)
    at += value.whole.length
  }
  return values
}

/** Decodes the values inside a sequence or set. */
export function derItems(value: DerValue | undefined, tag: number = derTag.sequence): readonly DerValue[] {
  if (value?.tag !== tag) throw new DerError('asn1: structure error: tags do not match')
  return derValues(value.content)
}

function readValue(bytes: Buffer): DerValue {
  if (bytes.length < 2) throw truncated()
  const { length, header } = readLength(bytes)
  if (header + length > bytes.length) throw truncated()
  return { tag: bytes[0]!, whole: bytes.subarray(0, header + length), content: bytes.subarray(header, header + length) }
}

/** Lengths of 128 and more have a first byte that says how many bytes they take. */
function readLength(bytes: Buffer): { length: number; header: number } {
  const first = bytes[1]!
  if (first < 0x80) return { length: first, header: 2 }
  const size = first & 0x7f
  if (size === 0 || size > 4 || bytes.length < 2 + size) throw truncated()
  return { length: bytes.readUIntBE(2, size), header: 2 + size }
}

function truncated(): DerError {
  return new DerError('asn1: syntax error: data truncated')
}

/** Returns `2.5.4.3` for the content of an object identifier. */
export function dottedIdentifier(content: Buffer): string {
  const numbers: number[] = []
  let number = 0
  for (const byte of content) {
    number = number * 128 + (byte & 0x7f)
    if (byte & 0x80) continue
    numbers.push(number)
    number = 0
  }
  const [first = 0, ...rest] = numbers
  const top = Math.min(Math.floor(first / 40), 2)
  return [top, first - 40 * top, ...rest].join('.')
}
