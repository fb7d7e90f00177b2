import type { WireWriter } from '../../base/protobuf/writer.js'
import type { LinkedType } from '../model.js'
import { parseTime } from '../values/time.js'
import { microLayout, parseInstant } from '../values/time-parse.js'

/** Writes a present value with its field header. */
export type WriteValue = (writer: WireWriter, value: unknown) => void

/** The writer of a scalar type, for canonical values. */
export function scalarWriter(number: number, { is }: LinkedType): WriteValue {
  switch (is) {
    case 'bool':
      return (writer, value) => writer.integer(number, value ? 1 : 0)
    case 'int32':
    case 'int64':
      return (writer, value) => writer.integer(number, value as number)
    case 'double':
      return (writer, value) => writer.double(number, value as number)
    case 'bytes':
      return (writer, value) => rawBytes(writer, number, Buffer.from(value as string, 'base64'))
    case 'time':
      return timeWriter(number)
    case 'microTime':
      return microTimeWriter(number)
    case 'quantity':
      return message(number, (writer, value) => writer.text(1, value as string))
    case 'intOrString':
      return message(number, writeIntOrString)
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return message(number, (writer, value) => writer.text(1, JSON.stringify(value)))
    default:
      return (writer, value) => writer.text(number, value as string)
  }
}

/** The writer of the zero of a type; undefined for types whose zero is not written. */
export function zeroWriter(number: number, type: LinkedType): ((writer: WireWriter) => void) | undefined {
  switch (type.is) {
    case 'list':
    case 'map':
    case 'bytes':
    case 'either':
      return undefined
    case 'time':
    case 'microTime':
    case 'json':
    case 'rawExtension':
    case 'fieldsV1':
      return (writer) => writer.message(number, writer.written)
    case 'object':
      throw new Error('what an object is without anything is for its own fields to say')
    default:
      return (writer) => scalarWriter(number, type)(writer, zeros[type.is])
  }
}

const zeros: Readonly<Record<string, unknown>> = {
  string: '',
  enumeration: '',
  bool: false,
  int32: 0,
  int64: 0,
  double: 0,
  quantity: '0',
  intOrString: 0,
}

function message(number: number, write: WriteValue): WriteValue {
  return (writer, value) => {
    const before = writer.written
    write(writer, value)
    writer.message(number, before)
  }
}

/** Writes bytes. Unlike the method of `WireWriter`, it also writes a field without bytes. */
function rawBytes(writer: WireWriter, number: number, bytes: Uint8Array): void {
  const before = writer.written
  writer.raw(bytes)
  writer.message(number, before)
}

function timeWriter(number: number): WriteValue {
  return message(number, (writer, value) => {
    writer.integer(2, 0)
    writer.integer(1, Math.floor(parseTime(value as string) / 1000))
  })
}

function microTimeWriter(number: number): WriteValue {
  return message(number, (writer, value) => {
    const { seconds, nanoseconds } = parseInstant(value as string, microLayout)
    writer.integer(2, nanoseconds)
    writer.integer(1, seconds)
  })
}

function writeIntOrString(writer: WireWriter, value: unknown): void {
  const isString = typeof value === 'string'
  writer.text(3, isString ? value : '')
  writer.integer(2, isString ? 0 : (value as number))
  writer.integer(1, isString ? 1 : 0)
}
