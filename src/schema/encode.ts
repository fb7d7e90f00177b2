import { decodeValue } from './decode/decoder.js'
import type { ObjectType } from './model.js'

/** The object with its fields in canonical order and its values in canonical form. */
export function canonicalObject<T extends object>(type: ObjectType, object: T): T {
  return decodeValue(type, object, 'Strict').object as T
}

/**
 * The canonical encoding: equal objects have equal bytes, whatever the order in which their fields were set. Throws `DecodeError`
 * for an object that does not fit its type, which is then a mistake of this program.
 */
export function encode(type: ObjectType, object: object): Buffer {
  return Buffer.from(JSON.stringify(canonicalObject(type, object)))
}
