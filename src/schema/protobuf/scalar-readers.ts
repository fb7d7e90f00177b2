import { MalformedMessageError, type WireReader } from '../../base/protobuf/reader.js'
import { fixed64Type, lengthType, varintType } from '../../base/protobuf/writer.js'
import { DecodeError } from '../decode/inspect.js'
import type { LinkedType } from '../model.js'
import { formatMicroTime, formatTime } from '../values/time.js'

/** Reads a value in its JSON form. `alone` is true for packed values, which have no field header. */
export type ReadValue = (reader: WireReader, alone?: boolean) => unknown

/** The reader of a scalar type. Some scalars are small messages in protobuf. */
export function scalarReader(type: LinkedType): ReadValue {
  switch (type.is) {
    case 'bool':
      return readBool
    case 'int32':
      return readInt32
    case 'int64':
      return readInt64
    case 'double':
      return readDouble
    case 'bytes':
      return (reader) => reader.bytes().toString('base64')
    case 'time':
      return readTime
    case 'microTime':
      return readMicroTime
    case 'quantity':
      return readQuantity
    case 'intOrString':
      return readIntOrString
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return readRaw
    default:
      return (reader) => reader.text()
  }
}

/** The wire type of a type. */
export function wireTypeOf({ is }: LinkedType): number {
  if (is === 'double') return fixed64Type
  return is === 'bool' || is === 'int32' || is === 'int64' ? varintType : lengthType
}

/** Rejects a field with an unexpected wire type. */
export function expecting<T>(
  wireType: number,
  name: string,
  read: (reader: WireReader, into: T) => void,
): (reader: WireReader, into: T) => void {
  return (reader, into) => {
    if (reader.type !== wireType)
      throw new MalformedMessageError(`proto: wrong wireType = ${reader.type} for field ${goName(name)}`)
    read(reader, into)
  }
}

function goName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1)
}

const readBool: ReadValue = (reader, alone) => integer(reader, alone) !== 0
/** Truncates to 32 bits. */
const readInt32: ReadValue = (reader, alone) => integer(reader, alone) | 0

/** Returns a bigint beyond the precision of a double; the decoder accepts it. */
const readInt64: ReadValue = (reader, alone) => {
  const value = integer(reader, alone)
  return Number.isSafeInteger(value) ? value : BigInt(value)
}

function integer(reader: WireReader, alone = false): number {
  return alone ? reader.numberAlone() : reader.number()
}

const readDouble: ReadValue = (reader) => {
  const value = reader.double()
  if (!Number.isFinite(value)) throw new DecodeError(`json: unsupported value: ${value}`)
  return value
}

/** Reads the fields of a small message. Skips fields that `take` does not read. */
function readParts(reader: WireReader, take: (reader: WireReader) => boolean): void {
  const outer = reader.enter()
  while (reader.next()) if (!take(reader)) reader.skip()
  reader.leave(outer)
}

interface Timestamp {
  readonly isEmpty: boolean
  readonly seconds: number
  readonly nanoseconds: number
}

function readTimestamp(reader: WireReader): Timestamp {
  let isEmpty = true
  let seconds = 0
  let nanoseconds = 0
  readParts(reader, ({ field }) => {
    isEmpty = false
    if (field === 1) seconds = reader.number()
    else if (field === 2) nanoseconds = reader.number() | 0
    return field <= 2
  })
  return { isEmpty, seconds, nanoseconds }
}

/** The range of RFC 3339: years 0 to 9999. */
const firstSecond = -62_167_219_200
const lastSecond = 253_402_300_799

/** Returns null for an empty message. Carries nanoseconds beyond a second over, as Go does. */
function instant(reader: WireReader): Omit<Timestamp, 'isEmpty'> | null {
  const { isEmpty, seconds, nanoseconds } = readTimestamp(reader)
  if (isEmpty) return null
  const carried = seconds + Math.floor(nanoseconds / 1e9)
  if (!(carried >= firstSecond && carried <= lastSecond))
    throw new DecodeError('Time.MarshalJSON: year outside of range [0,9999]')
  return { seconds: carried, nanoseconds: nanoseconds - Math.floor(nanoseconds / 1e9) * 1e9 }
}

/** Truncates to seconds, as the JSON form does. */
const readTime: ReadValue = (reader) => {
  const time = instant(reader)
  return time && formatTime(time.seconds * 1000)
}

const readMicroTime: ReadValue = (reader) => {
  const time = instant(reader)
  return time && formatMicroTime(time.seconds * 1000 + Math.floor(time.nanoseconds / 1000) / 1000)
}

const readQuantity: ReadValue = (reader) => {
  let text = '0'
  readParts(reader, ({ field }) => {
    if (field === 1) text = reader.text()
    return field === 1
  })
  return text
}

const readIntOrString: ReadValue = (reader) => {
  let isString = false
  let number = 0
  let text = ''
  readParts(reader, ({ field }) => {
    if (field === 1) isString = reader.number() === 1
    else if (field === 2) number = reader.number() | 0
    else if (field === 3) text = reader.text()
    return field <= 3
  })
  return isString ? text : number
}

/** Reads JSON inside protobuf. No bytes mean null. */
const readRaw: ReadValue = (reader) => {
  let text = ''
  readParts(reader, ({ field }) => {
    if (field === 1) text = reader.text()
    return field === 1
  })
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DecodeError(`json: error calling MarshalJSON for type runtime.RawExtension: ${error.message}`)
  }
}
