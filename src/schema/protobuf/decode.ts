import { MalformedMessageError, WireReader } from '../../base/protobuf/reader.js'
import { lengthType } from '../../base/protobuf/writer.js'
import { setMember } from '../json-value.js'
import type { LinkedType, ObjectField, ObjectType } from '../model.js'
import { isWrappedList, type MessageLayout, messageLayout } from './layout.js'
import { expecting, scalarReader, wireTypeOf } from './scalar-readers.js'

/**
 * Decodes protobuf to the value that `JSON.parse` would give for the same object; `decodeValue` then converts it to canonical form.
 * Skips unknown fields. The last of several equal fields counts, except that lists are concatenated and objects merged.
 *
 * Throws `MalformedMessageError` for malformed bytes, and `DecodeError` for values that JSON cannot express.
 */
export function decodeProtobuf(type: ObjectType, bytes: Uint8Array): Record<string, unknown> {
  const into: Members = {}
  depth = 0
  readMembers(readersOf(type), new WireReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)), into)
  return into
}

type Members = Record<string, unknown>

/** Reads the current field into its object. */
type ReadField = (reader: WireReader, into: Members) => void

/** By field number. */
type Readers = readonly (ReadField | undefined)[]

function readMembers(readers: Readers, reader: WireReader, into: Members): void {
  while (reader.next()) {
    const read = readers[reader.field]
    if (read) read(reader, into)
    else reader.skip()
  }
}

/** The current nesting of messages. Recursive types could otherwise overflow the stack. */
let depth = 0
const maximumDepth = 1_000

function readNested(readers: Readers, reader: WireReader, into: Members): void {
  if (++depth > maximumDepth) throw new MalformedMessageError('exceeded max depth')
  const outer = reader.enter()
  readMembers(readers, reader, into)
  reader.leave(outer)
  depth--
}

const known = new WeakMap<ObjectType, Readers>()

/** Types may be recursive, so the array is registered before it is filled. */
function readersOf(type: ObjectType): Readers {
  const found = known.get(type)
  if (found) return found
  const readers: (ReadField | undefined)[] = []
  known.set(type, readers)
  fill(readers, messageLayout(type))
  return readers
}

function fill(readers: (ReadField | undefined)[], { entries }: MessageLayout): void {
  for (const entry of entries) {
    if (entry.is === 'field') readers[entry.number] = fieldReader(entry.field)
    else {
      const nested: ReadField[] = []
      fill(nested, entry.layout)
      readers[entry.number] = expecting(lengthType, String(entry.number), (reader, into: Members) =>
        readNested(nested, reader, into),
      )
    }
  }
}

function fieldReader(field: ObjectField): ReadField {
  const { name, type } = field
  if (type.is === 'map') return mapReader(name, type.of)
  if (type.is === 'list' && !isWrappedList(field)) return listReader(name, type.of)
  const read = valueReader(type)
  return expecting(wireTypeOf(type), name, (reader, into) => {
    into[name] = read(reader, into[name])
  })
}

/** Reads one value. `before` is the value of an earlier equal field, into which objects are merged. */
type ReadOver = (reader: WireReader, before: unknown) => unknown

function valueReader(type: LinkedType): ReadOver {
  switch (type.is) {
    case 'object':
      return objectReader(type.object)
    case 'list':
      return wrappedReader(type.of)
    case 'either':
      return eitherReader(type.alternatives)
    case 'map':
      throw new Error('protobuf has no maps but as fields')
    default: {
      const read = scalarReader(type)
      return (reader) => read(reader)
    }
  }
}

function objectReader(type: ObjectType): ReadOver {
  let readers: Readers | undefined
  return (reader, before) => {
    readers ??= readersOf(type)
    const into = (before ?? {}) as Members
    readNested(readers, reader, into)
    return into
  }
}

function listReader(name: string, of: LinkedType): ReadField {
  const append = elementReader(of)
  const wire = wireTypeOf(of)
  const appendOne: ReadField = expecting(wire, name, (reader, into) => append(reader, listIn(into, name)))
  if (wire === lengthType || of.is === 'double') return appendOne
  const readOne = scalarReader(of)
  return (reader, into) => {
    if (reader.type !== lengthType) return appendOne(reader, into)
    const list = listIn(into, name)
    const outer = reader.enter()
    while (!reader.atEnd) list.push(readOne(reader, true))
    reader.leave(outer)
  }
}

function listIn(into: Members, name: string): unknown[] {
  const list = into[name] as unknown[] | undefined
  if (list) return list
  const empty: unknown[] = []
  into[name] = empty
  return empty
}

function elementReader(of: LinkedType): (reader: WireReader, list: unknown[]) => void {
  const read = valueReader(of)
  return (reader, list) => list.push(read(reader, undefined))
}

/** Reads a list in a message of its own. */
function wrappedReader(of: LinkedType): ReadOver {
  const readers: Readers = [undefined, listReader('items', of)]
  return (reader, before) => {
    const into: Members = { items: before ?? [] }
    readNested(readers, reader, into)
    return into.items
  }
}

/** Reads a map, which has one message per entry. */
function mapReader(name: string, of: LinkedType): ReadField {
  const read = valueReader(of)
  const readers: Readers = [
    undefined,
    expecting(lengthType, 'key', (reader, entry) => {
      entry.key = reader.text()
    }),
    expecting(wireTypeOf(of), 'value', (reader, entry) => {
      entry.value = read(reader, entry.value)
    }),
  ]
  return expecting(lengthType, name, (reader, into) => {
    const entry: Members = { key: '', value: undefined }
    readNested(readers, reader, entry)
    into[name] ??= {}
    const value: unknown = entry.value ?? null
    setMember(into[name] as Members, entry.key as string, value)
  })
}

/** Reads a message with one field per alternative, in order. An object or list takes precedence over a boolean. */
function eitherReader(options: readonly LinkedType[]): ReadOver {
  const readers: (ReadField | undefined)[] = [undefined]
  for (const [index, option] of options.entries()) {
    const name = String(index)
    const read = option.is === 'list' ? undefined : valueReader(option)
    readers.push(
      read
        ? expecting(wireTypeOf(option), name, (reader, into) => {
            into[name] = read(reader, into[name])
          })
        : listReader(name, (option as { readonly of: LinkedType }).of),
    )
  }
  return (reader) => {
    const found: Members = {}
    readNested(readers, reader, found)
    const given = options.map((_, index) => found[index]).filter((value) => value !== undefined)
    return given.find((value) => typeof value === 'object') ?? given[0] ?? (options[0]?.is === 'bool' ? false : null)
  }
}
