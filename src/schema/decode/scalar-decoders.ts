import type { LinkedType } from '../model.js'
import { canonicalQuantity } from '../values/quantity.js'
import { canonicalMicroTime, canonicalTime, zeroMicroTime, zeroTime } from '../values/time.js'

/** The input is not regular: the fast path cannot decode it, and `inspect.ts` reports what is wrong with it. */
export class Irregular extends Error {}

/** One instance for all, because a new stack trace for each would take long and says nothing. */
export const irregular = new Irregular('the input is not regular')

/** Returns the canonical value, or undefined if there is none. Throws `Irregular`, or the error of the value's parser. */
export type Decode = (input: unknown) => unknown

/** The decoder of a scalar type; undefined for other types. */
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
  // `inspect.ts` returns integers beyond the precision of a double as bigint.
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

/** The zero time means that there is none. */
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
  // Only the exact reader keeps a fraction as it was written. Numbers with an exponent never get here.
  if (Number.isSafeInteger(input)) return canonicalQuantity(String(input))
  throw irregular
}

function decodeIntOrString(input: unknown): unknown {
  if (typeof input === 'string' || (typeof input === 'number' && (input | 0) === input)) return input
  if (input === null) return undefined
  throw irregular
}
