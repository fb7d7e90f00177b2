/**
 * How values are written in DER, the byte form of certificates: a tag, the length of what follows, and that. Only what certificates
 * need; how they are read is `api/certificates/`'s, which checks them, too.
 */

export type Der = Buffer

export function value(tag: number, ...parts: readonly Uint8Array[]): Der {
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

export function sequence(...parts: readonly Der[]): Der {
  return value(0x30, ...parts)
}

export function set(...parts: readonly Der[]): Der {
  return value(0x31, ...parts)
}

/** Not negative. The highest bit would be a sign, so a byte without it goes before. */
export function integer(number: bigint): Der {
  const bytes = bigEndian(number)
  return value(0x02, bytes[0]! & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

export function boolean(truth: boolean): Der {
  return value(0x01, Buffer.from([truth ? 0xff : 0]))
}

export function bytes(content: Uint8Array): Der {
  return value(0x04, content)
}

/** `unused` bits at the end do not count. */
export function bits(content: Uint8Array, unused = 0): Der {
  return value(0x03, Buffer.from([unused]), content)
}

export const nothing: Der = Buffer.from([0x05, 0])

export function text(content: string): Der {
  return value(0x0c, Buffer.from(content))
}

/** `1.2.840.10045.4.3.2` */
export function identifier(dotted: string): Der {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return value(0x06, Buffer.from([40 * first + second, ...rest.flatMap(inSevens)]))
}

/** Seven bits a byte; the highest bit says that more follow. */
function inSevens(number: number): number[] {
  const groups = [number & 0x7f]
  for (let rest = number >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80)
  return groups
}

/** To the second. Years from 2050 on have their own form. */
export function time(milliseconds: number): Der {
  const digits = new Date(milliseconds).toISOString().replace(/[-:T]|\.\d+/g, '')
  return digits < '2050' ? value(0x17, Buffer.from(digits.slice(2))) : value(0x18, Buffer.from(digits))
}

/** A value under a number of its own, by which the surrounding one knows it. */
export function explicit(number: number, content: Der): Der {
  return value(0xa0 | number, content)
}

export function implicit(number: number, content: Uint8Array): Der {
  return value(0x80 | number, content)
}
