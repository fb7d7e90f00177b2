import { jsonTextOfBytes } from '../json-text.js'
import type { ObjectType } from '../model.js'
import { ValueError } from '../value-error.js'
import { DecodeError, inspect } from './inspect.js'
import { ExactNumber, ExactObject, type ExactValue, maximumJsonDepth, readJson } from './json-reader.js'
import { scanJson } from './json-scan.js'
import { decodeRegular } from './regular-decoder.js'
import { Irregular } from './scalar-decoders.js'

/** How to handle unknown and duplicate fields: reject them, drop them with a warning, or drop them silently. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore'

export interface DecodeResult {
  /** In canonical form: `JSON.stringify` of it is the canonical encoding. Nothing else refers to it yet, so the caller may set defaults. */
  readonly object: Record<string, unknown>
  /** One for each unknown or duplicate field, under `Warn` only. */
  readonly warnings: readonly string[]
}

/**
 * Decodes JSON text as an object of `type`. Regular text takes the fast path; anything else is read again by the exact reader, which
 * gives the same result and can say what is wrong. Throws `JsonSyntaxError` or `DecodeError`, with the message that clients see. A
 * scheme with `fastDecoding: false` reads all text exactly.
 */
export function decodeJson(type: ObjectType, bytes: Uint8Array, validation: FieldValidation): DecodeResult {
  const object = type.fastDecoding ? decodeFast(type, bytes) : undefined
  if (object) return { object, warnings: [] }
  return decodeExactly(type, readJson(jsonTextOfBytes(bytes)), validation)
}

/** Brings an object that was made in this process, or by a patch, to canonical form. It has no duplicate fields. */
export function decodeValue(type: ObjectType, value: unknown, validation: FieldValidation): DecodeResult {
  const object = type.fastDecoding ? attempt(() => decodeRegular(type, value).object) : undefined
  if (object) return { object, warnings: [] }
  return decodeExactly(type, exact(value, 0), validation)
}

function decodeFast(type: ObjectType, bytes: Uint8Array): Record<string, unknown> | undefined {
  return attempt(() => {
    const { members, depth, exponents } = scanJson(bytes)
    if (depth > maximumJsonDepth || exponents) return undefined
    const decoded = decodeRegular(type, JSON.parse(jsonTextOfBytes(bytes)))
    return decoded.members === members ? decoded.object : undefined
  })
}

/** Undefined if the input is irregular, not JSON, or rejected by a value's parser. */
function attempt<T>(decodeIt: () => T): T | undefined {
  try {
    return decodeIt()
  } catch (error) {
    if (error instanceof Irregular || error instanceof SyntaxError || error instanceof ValueError) return undefined
    throw error
  }
}

function decodeExactly(type: ObjectType, value: ExactValue, validation: FieldValidation): DecodeResult {
  const { value: clean, problems } = inspect(type, value)
  if (validation === 'Strict' && problems.length > 0)
    throw new DecodeError(`strict decoding error: ${problems.join(', ')}`)
  const { object } = decodeRegular(type, clean ?? {})
  return { object, warnings: validation === 'Warn' ? problems : [] }
}

/** A value of this process in the form of the exact reader. */
function exact(value: unknown, depth: number): ExactValue {
  if (depth > maximumJsonDepth) throw new DecodeError('exceeded max depth')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return new ExactNumber(String(value))
  if (Array.isArray(value)) return value.map((element) => exact(element ?? null, depth + 1))
  if (typeof value !== 'object')
    throw new DecodeError(`a value of type ${typeof value} cannot be part of an API object`)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return new ExactObject(members.map(([key, member]) => [key, exact(member, depth + 1)]))
}
