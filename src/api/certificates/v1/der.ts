/** The little of ASN.1 that certificate requests and certificates need. */
export class DerError extends Error {}

export const derTag = {
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  sequence: 0x30,
  set: 0x31,
  /** Of a request: the last of its parts. */
  attributes: 0xa0,
} as const

export interface DerValue {
  readonly tag: number
  /** With tag and length. */
  readonly whole: Buffer
  readonly content: Buffer
}

/** The values that stand one after another in `bytes`. Throws a `DerError` when it ends in the middle of one. */
export function derValues(bytes: Buffer): readonly DerValue[] {
  const values: DerValue[] = []
  for (let at = 0; at < bytes.length; ) {
    const value = readValue(bytes.subarray(at))
    values.push(value)
    at += value.whole.length
  }
  return values
}

/** The values inside of a sequence or set. */
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

/** Lengths of 128 and more are written in as many bytes as the first says. */
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

/** `2.5.4.3`, of the content of an object identifier. */
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
