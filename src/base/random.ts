import { randomFillSync } from 'node:crypto'

/** The random numbers of a component: entropy of the system, or a seeded sequence in a test. */
export interface Random {
  /** Uniform in [0, 1). */
  float(): number
  /** A uniform whole number in [0, below). Throws unless `below` is a whole number from 1 to 2^53. */
  integer(below: number): number
  bytes(length: number): Uint8Array
  /** A version 4 UUID in lower case. */
  uuid(): string
}

/** Random numbers from the entropy of the operating system, also for tokens and keys. */
export function systemRandom(): Random {
  return randomFrom((target) => randomFillSync(target))
}

/** The same seed gives the same sequence, on every host. Only the lowest 32 bits of the seed count. Never use it for secrets. */
export function seededRandom(seed: number): Random {
  const next = xorshift128(seed)
  return randomFrom((target) => {
    for (let i = 0; i < target.length; i += 4) {
      const word = next()
      for (let k = 0; k < 4 && i + k < target.length; k++) target[i + k] = (word >>> (8 * k)) & 0xff
    }
  })
}

/** Four bytes of entropy cost as much as four thousand, so it is drawn by the page. */
const pageSize = 4096

function randomFrom(fill: (target: Uint8Array) => void): Random {
  const page = new Uint8Array(pageSize)
  const view = new DataView(page.buffer)
  let used = pageSize
  const take = (length: number): number => {
    if (used + length > pageSize) {
      fill(page)
      used = 0
    }
    used += length
    return used - length
  }
  const word = () => view.getUint32(take(4), true)
  const float = () => (word() * 0x200000 + (word() >>> 11)) / 2 ** 53
  return {
    float,
    integer(below) {
      if (!(Number.isInteger(below) && below >= 1 && below <= 2 ** 53))
        throw new RangeError(`there is no whole number from 0 to below ${below} to choose`)
      return Math.floor(float() * below)
    },
    bytes(length) {
      const result = new Uint8Array(length)
      if (length >= pageSize) fill(result)
      else result.set(page.subarray(take(length), used))
      return result
    },
    uuid: () => formatUuid(page, take(16)),
  }
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function formatUuid(bytes: Uint8Array, start: number): string {
  let text = ''
  for (let i = 0; i < 16; i++) {
    let byte = bytes[start + i]!
    if (i === 6) byte = (byte & 0x0f) | 0x40 // version 4
    if (i === 8) byte = (byte & 0x3f) | 0x80 // RFC 4122 variant
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += hex[byte]
  }
  return text
}

/** Marsaglia's xorshift with 128 bits of state: small, fast, and with a long enough period for any simulation. */
function xorshift128(seed: number): () => number {
  const state = new Uint32Array(4)
  for (let i = 0, s = seed >>> 0; i < 4; i++) {
    s = (Math.imul(s ^ (s >>> 16), 0x45d9f3b) + 0x9e3779b9) >>> 0
    state[i] = s || 1
  }
  return () => {
    let t = state[3]!
    const s = state[0]!
    state[3] = state[2]!
    state[2] = state[1]!
    state[1] = s
    t ^= t << 11
    t ^= t >>> 8
    state[0] = t ^ s ^ (s >>> 19)
    return state[0]!
  }
}
