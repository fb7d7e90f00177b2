/**
 * XSalsa20 and Poly1305, put together as NaCl's `secretbox`. Node has neither. Nothing here depends on the key in what it branches
 * on or looks up.
 */
import { timingSafeEqual } from 'node:crypto'

export const keyBytes = 32
export const nonceBytes = 24
const tagBytes = 16

/** The tag and then the ciphertext. */
export function seal(message: Uint8Array, nonce: Uint8Array, key: Uint8Array): Buffer {
  const { subkey, stream } = streamFor(message.length + 32, nonce, key)
  const ciphertext = Buffer.alloc(message.length)
  for (let index = 0; index < message.length; index++) ciphertext[index] = message[index]! ^ stream[32 + index]!
  return Buffer.concat([poly1305(ciphertext, subkey), ciphertext])
}

/** Undefined where the box was not sealed with this key, or was changed. */
export function open(box: Uint8Array, nonce: Uint8Array, key: Uint8Array): Buffer | undefined {
  if (box.length < tagBytes) return undefined
  const ciphertext = box.subarray(tagBytes)
  const { subkey, stream } = streamFor(ciphertext.length + 32, nonce, key)
  if (!timingSafeEqual(poly1305(ciphertext, subkey), box.subarray(0, tagBytes))) return undefined
  const message = Buffer.alloc(ciphertext.length)
  for (let index = 0; index < message.length; index++) message[index] = ciphertext[index]! ^ stream[32 + index]!
  return message
}

/** The first 32 bytes of the stream are the key of the tag. */
function streamFor(length: number, nonce: Uint8Array, key: Uint8Array): { subkey: Uint8Array; stream: Uint8Array } {
  const derived = hsalsa20(nonce.subarray(0, 16), key)
  const stream = salsa20(length, nonce.subarray(16), derived)
  return { subkey: stream.subarray(0, 32), stream }
}

/** "expand 32-byte k" */
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574] as const

function words(bytes: Uint8Array): number[] {
  const view = Buffer.from(bytes)
  return Array.from({ length: bytes.length / 4 }, (_, index) => view.readInt32LE(index * 4))
}

function initialState(key: Uint8Array, input: readonly number[]): Int32Array {
  const [a, b, c, d, e, f, g, h] = words(key) as [number, number, number, number, number, number, number, number]
  const [i, j, k, l] = input as [number, number, number, number]
  return Int32Array.of(constants[0], a, b, c, d, constants[1], i, j, k, l, constants[2], e, f, g, h, constants[3])
}

/** Which words each step of a double round mixes: columns, then rows. */
const quarters = [
  [0, 4, 8, 12],
  [5, 9, 13, 1],
  [10, 14, 2, 6],
  [15, 3, 7, 11],
  [0, 1, 2, 3],
  [5, 6, 7, 4],
  [10, 11, 8, 9],
  [15, 12, 13, 14],
] as const

function rounds(x: Int32Array): void {
  for (let round = 0; round < 10; round++)
    for (const [a, b, c, d] of quarters) {
      x[b]! ^= rotated(x[a]! + x[d]!, 7)
      x[c]! ^= rotated(x[b]! + x[a]!, 9)
      x[d]! ^= rotated(x[c]! + x[b]!, 13)
      x[a]! ^= rotated(x[d]! + x[c]!, 18)
    }
}

function rotated(sum: number, by: number): number {
  return (sum << by) | (sum >>> (32 - by))
}

function hsalsa20(input: Uint8Array, key: Uint8Array): Uint8Array {
  const x = initialState(key, words(input))
  rounds(x)
  const derived = Buffer.alloc(32)
  for (const [index, word] of [0, 5, 10, 15, 6, 7, 8, 9].entries()) derived.writeInt32LE(x[word]!, index * 4)
  return derived
}

function salsa20(length: number, nonce: Uint8Array, key: Uint8Array): Uint8Array {
  const stream = Buffer.alloc(Math.ceil(length / 64) * 64)
  const [first, second] = words(nonce) as [number, number]
  for (let block = 0; block * 64 < length; block++) {
    // A message is never so long that the counter would need its upper half.
    const state = initialState(key, [first, second, block, 0])
    const mixed = Int32Array.from(state)
    rounds(mixed)
    for (let word = 0; word < 16; word++) stream.writeInt32LE((mixed[word]! + state[word]!) | 0, block * 64 + word * 4)
  }
  return stream
}

const prime = 2n ** 130n - 5n
const clamp = 0x0ffffffc0ffffffc0ffffffc0fffffffn

function poly1305(message: Uint8Array, key: Uint8Array): Buffer {
  const r = littleEndian(key.subarray(0, 16)) & clamp
  let sum = 0n
  for (let start = 0; start < message.length; start += 16) {
    const block = message.subarray(start, start + 16)
    sum = ((sum + littleEndian(block) + (1n << BigInt(8 * block.length))) * r) % prime
  }
  const tag = Buffer.alloc(tagBytes)
  const whole = sum + littleEndian(key.subarray(16, 32))
  tag.writeBigUInt64LE(BigInt.asUintN(64, whole), 0)
  tag.writeBigUInt64LE(BigInt.asUintN(64, whole >> 64n), 8)
  return tag
}

function littleEndian(bytes: Uint8Array): bigint {
  const whole = Buffer.alloc(16)
  whole.set(bytes)
  return whole.readBigUInt64LE(0) | (whole.readBigUInt64LE(8) << 64n)
}
