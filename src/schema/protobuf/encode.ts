import { WireWriter } from '../../base/protobuf/writer.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import { isWrappedList, type MessageLayout, messageLayout } from './layout.js'
import { scalarWriter, type WriteValue, zeroWriter } from './scalar-writers.js'

/**
 * Encodes an object in canonical form with the same bytes as upstream: fields in the order of their numbers, including zeros unless zero
 * and absent differ for the field. `apiVersion` and `kind` are not part of the message.
 */
export function encodeProtobuf(type: ObjectType, object: object): Buffer {
  scratch.clear()
  writersOf(type)(scratch, object as Members)
  return Buffer.from(scratch.finish())
}

/** A shared buffer, so that results have exactly the needed size. Encoding is synchronous, so one is enough. */
const scratch = new WireWriter(16 * 1024)

type Members = Readonly<Record<string, unknown>>

/** Writes all fields of an object, the last one first, as `WireWriter` requires. */
type WriteMembers = (writer: WireWriter, object: Members) => void

const known = new WeakMap<ObjectType, WriteMembers>()

/** Types may be recursive, so the writer of a type is registered before its fields are compiled. */
function writersOf(type: ObjectType): WriteMembers {
  const found = known.get(type)
  if (found) return found
  let compiled: WriteMembers | undefined
  const write: WriteMembers = (writer, object) => {
    compiled ??= membersWriter(messageLayout(type))
    compiled(writer, object)
  }
  known.set(type, write)
  return write
}

function membersWriter({ entries }: MessageLayout): WriteMembers {
  const writers = entries.map((entry) =>
    entry.is === 'field' ? fieldWriter(entry.number, entry.field) : nestedWriter(entry.number, entry.layout),
  )
  writers.reverse()
  return (writer, object) => {
    for (const write of writers) write(writer, object)
  }
}

function nestedWriter(number: number, layout: MessageLayout): WriteMembers {
  const write = membersWriter(layout)
  return (writer, object) => {
    const before = writer.written
    write(writer, object)
    writer.message(number, before)
  }
}

function fieldWriter(number: number, field: ObjectField): WriteMembers {
  const { name } = field
  const write = presentWriter(number, field)
  const writeAbsent = absentWriter(number, field)
  return (writer, object) => {
    const value = object[name]
    if (value !== undefined && value !== null) write(writer, value)
    else if (writeAbsent) writeAbsent(writer)
  }
}

function presentWriter(number: number, field: ObjectField): WriteValue {
  const { type } = field
  if (type.is === 'map') return mapWriter(number, type.of)
  if (type.is === 'list' && !isWrappedList(field)) return listWriter(number, type.of)
  return valueWriter(number, type)
}

/** Writes an absent field as upstream does: nothing for pointers, lists and maps in Go, zero for everything else. */
function absentWriter(
  number: number,
  { type, absent, options }: ObjectField,
): ((writer: WireWriter) => void) | undefined {
  if (absent === 'null' || options.keepZero) return undefined
  if (absent === 'omitted' && !isPlainScalar(type)) return undefined
  if (type.is === 'object') return constant((writer) => valueWriter(number, type)(writer, {}))
  const zero = zeroWriter(number, type)
  return zero && constant(zero)
}

/** Whether a scalar is not a struct in Go. Optional ones are pointers only where zero is kept. */
function isPlainScalar({ is }: LinkedType): boolean {
  return is === 'string' || is === 'enumeration' || is === 'bool' || is === 'int32' || is === 'int64' || is === 'double'
}

/** Encodes on first use and caches the bytes. */
function constant(write: (writer: WireWriter) => void): (writer: WireWriter) => void {
  let bytes: Uint8Array | undefined
  return (writer) => {
    if (!bytes) {
      const once = new WireWriter()
      write(once)
      bytes = Uint8Array.from(once.finish())
    }
    writer.raw(bytes)
  }
}

function valueWriter(number: number, type: LinkedType): WriteValue {
  switch (type.is) {
    case 'object':
      return messageWriter(number, writersOf(type.object) as WriteValue)
    case 'list':
      return messageWriter(number, listWriter(1, type.of))
    case 'either':
      return messageWriter(number, optionWriter(type.alternatives))
    case 'map':
      throw new Error('protobuf has no maps but as fields')
    default:
      return scalarWriter(number, type)
  }
}

function messageWriter(number: number, write: WriteValue): WriteValue {
  return (writer, value) => {
    const before = writer.written
    write(writer, value)
    writer.message(number, before)
  }
}

function listWriter(number: number, of: LinkedType): WriteValue {
  const write = elementWriter(number, of)
  return (writer, value) => {
    const list = value as readonly unknown[]
    for (let i = list.length - 1; i >= 0; i--) write(writer, list[i])
  }
}

/** Writes an element of a list or map, which is never omitted: at least as the zero of its type. */
function elementWriter(number: number, of: LinkedType): WriteValue {
  const write = valueWriter(number, of)
  const writeZero = of.is === 'object' ? (writer: WireWriter) => write(writer, {}) : zeroWriter(number, of)
  return (writer, value) => {
    if (value !== null && value !== undefined) write(writer, value)
    else writeZero?.(writer)
  }
}

function mapWriter(number: number, of: LinkedType): WriteValue {
  const write = elementWriter(2, of)
  return (writer, value) => {
    const map = value as Members
    const keys = Object.keys(map)
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i]!
      const before = writer.written
      write(writer, map[key])
      writer.text(1, key)
      writer.message(number, before)
    }
  }
}

/** Writes one field per alternative, in order. The boolean is written beside an object as well. */
function optionWriter(options: readonly LinkedType[]): WriteValue {
  const choices = options.map((option, index) => ({
    option,
    write: option.is === 'list' ? listWriter(index + 1, option.of) : valueWriter(index + 1, option),
  }))
  return (writer, value) => {
    for (const { option, write } of choices.toReversed()) {
      if (option.is === 'bool') write(writer, value !== false)
      else if (fits(option, value)) write(writer, value)
    }
  }
}

function fits(option: LinkedType, value: unknown): boolean {
  return typeof value === 'object' && Array.isArray(value) === (option.is === 'list')
}
