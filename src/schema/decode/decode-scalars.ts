import type { LinkedType } from '../model.js'
import { canonicalQuantity } from '../values/quantity.js'
import { canonicalMicroTime, canonicalTime, zeroMicroTime, zeroTime } from '../values/time.js'

/** Something stands in the input about which more is to be said than the quick way can; `inspect.ts` finds out what. */
export class Irregular extends Error {}

/** Thrown again and again without a new stack each time: it carries no information. */
export const irregular = new Irregular('the input needs a closer look')

/** Gives the canonical value, or undefined if there is none. Throws `Irregular`, or the error of a value's own parser. */
export type Decode = (input: unknown) => unknown

/** The quick way for what has no parts; undefined for other types. */
export function scalarDecoder(type: LinkedType): Decode | undefined {
  switch (type.is) {
    case 'string':
    case 'enumeration':
      return decodeString
    case 'bool':
      return decodeBool
    case 'int32':
      return decodeInt32
    case 'int64':
      return decodeInt64
    case 'double':
      return decodeDouble
    case 'bytes':
      return decodeBytes
    case 'time':
      return decodeTime
    case 'microTime':
      return decodeMicroTime
    case 'quantity':
      return decodeQuantity
    case 'intOrString':
      return decodeIntOrString
    default:
      return undefined
  }
}

export function decodeString(input: unknown): unknown {
  if (typeof input === 'string') return input
  if (input === null) return undefined
  throw irregular
}

function decodeBool(input: unknown): unknown {
  if (typeof input === 'boolean') return input
  if (input === null) return undefined
  throw irregular
}

function decodeInt32(input: unknown): unknown {
  if (typeof input === 'number' && (input | 0) === input) return input
  if (input === null) return undefined
  throw irregular
}

function decodeInt64(input: unknown): unknown {
  if (Number.isSafeInteger(input)) return input
  if (input === null) return undefined
  // The exact way hands on what it has checked, beyond the precision of a double, as a bigint.
  if (typeof input === 'bigint') return Number(input)
  throw irregular
}

function decodeDouble(input: unknown): unknown {
  if (typeof input === 'number') return input
  if (input === null) return undefined
  throw irregular
}

function decodeBytes(input: unknown): unknown {
  if (input === null) return undefined
  if (typeof input !== 'string' || Buffer.from(input, 'base64').toString('base64') !== input) throw irregular
  return input
}

const decodeTime = timeDecoder(canonicalTime, zeroTime)
const decodeMicroTime = timeDecoder(canonicalMicroTime, zeroMicroTime)

/** The zero time stands for none. */
function timeDecoder(canonical: (text: string) => string, zero: string): Decode {
  return (input) => {
    if (input === null) return undefined
    if (typeof input !== 'string') throw irregular
    const text = canonical(input)
    return text === zero ? undefined : text
  }
}

function decodeQuantity(input: unknown): unknown {
  if (typeof input === 'string') return canonicalQuantity(input)
  if (input === null) return undefined
  // A fraction must be read as it was written, which only the exact reader can; so must an exponent, which never comes here.
  if (Number.isSafeInteger(input)) return canonicalQuantity(String(input))
  throw irregular
}

function decodeIntOrString(input: unknown): unknown {
  if (typeof input === 'string' || (typeof input === 'number' && (input | 0) === input)) return input
  if (input === null) return undefined
  throw irregular
}
