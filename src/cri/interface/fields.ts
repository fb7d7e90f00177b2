import { Buffer } from 'node:buffer'
import type { WireReader } from '../../base/protobuf/reader.js'
import type { WireWriter } from '../../base/protobuf/writer.js'
import { lengthType } from '../../base/protobuf/writer.js'
import type { Draft, Field, MessageType } from './message.js'

/** How single values of one kind are written and read, wherever they stand. */
interface Scalar<Value> {
  readonly zero: Value
  write(writer: WireWriter, field: number, value: Value): void
  read(reader: WireReader): Value
}

const textScalar: Scalar<string> = {
  zero: '',
  write: (writer, field, value) => writer.text(field, value),
  read: (reader) => reader.text(),
}

const truthScalar: Scalar<boolean> = {
  zero: false,
  write: (writer, field, value) => writer.flag(field, value),
  read: (reader) => reader.flag(),
}

const integerScalar: Scalar<number> = {
  zero: 0,
  write: (writer, field, value) => writer.integer(field, value),
  read: (reader) => reader.number(),
}

const unsignedScalar: Scalar<number> = {
  zero: 0,
  write: (writer, field, value) => writer.bigint(field, BigInt(value)),
  read(reader) {
    const value = reader.number()
    return value < 0 ? value + 2 ** 64 : value
  },
}

const doubleScalar: Scalar<number> = {
  zero: 0,
  write: (writer, field, value) => writer.double(field, value),
  read: (reader) => reader.double(),
}

const exactScalar: Scalar<bigint> = {
  zero: 0n,
  write: (writer, field, value) => writer.bigint(field, BigInt.asUintN(64, value)),
  read: (reader) => BigInt(reader.decimal()),
}

function single<Value>(number: number, { zero, write, read }: Scalar<Value>): Field<Value> {
  return {
    number,
    absent: () => zero,
    write(writer, value) {
      if ((value as Value) !== zero) write(writer, number, value as Value)
    },
    read,
    complete: (value) => value as Value,
  }
}

export const text = (number: number): Field<string> => single(number, textScalar)
export const truth = (number: number): Field<boolean> => single(number, truthScalar)
export const double = (number: number): Field<number> => single(number, doubleScalar)
/** A whole number of 32 or 64 bits; exact as far as JavaScript's numbers are. */
export const integer = (number: number): Field<number> => single(number, integerScalar)
/** The same, never negative. */
export const unsigned = (number: number): Field<number> => single(number, unsignedScalar)
/** Nanoseconds since the Unix epoch, too many for a `number` to be exact; 0 where the runtime says no time. */
export const instant = (number: number): Field<bigint> => single(number, exactScalar)

export function bytes(number: number): Field<Buffer> {
  return {
    number,
    absent: () => Buffer.alloc(0),
    write: (writer, value) => writer.bytes(number, value as Buffer),
    read: (reader) => reader.bytes(),
    complete: (value) => Buffer.from(value as Buffer),
  }
}

/**
 * One of several names, the first of which has number 0 on the wire, and so on. A number without a name, from a runtime newer
 * than this, reads as `#` and the number, and is written as that again.
 */
export function choice<Name extends string>(number: number, names: readonly Name[]): Field<Name> {
  const numbers = new Map<string, number>(names.map((name, index) => [name, index]))
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? (name.startsWith('#') ? Number(name.slice(1)) : Number.NaN)
    if (Number.isNaN(known)) throw new TypeError(`${name} is none of ${names.join(', ')}`)
    return known
  }
  return {
    number,
    absent: () => names[0]!,
    write: (writer, name) => writer.number(number, numberOf(name as Name)),
    read(reader) {
      const found = reader.number()
      return names[found] ?? (`#${found}` as Name)
    },
    complete: (name) => name as Name,
  }
}

/** A message within the message. One that is there and empty is not the same as one that is missing. */
export function nested<Message>(number: number, type: MessageType<Message>): Field<Message | undefined> {
  return {
    number,
    absent: () => undefined,
    write: (writer, value) => writeNested(writer, number, { type, value: value as Draft<Message> }),
    read: (reader) => readNested(reader, type),
    complete: (value) => type.complete(value as Draft<Message>),
  }
}

function writeNested<Message>(
  writer: WireWriter,
  number: number,
  { type, value }: { readonly type: MessageType<Message>; readonly value: Draft<Message> },
): void {
  const before = writer.written
  type.write(writer, value)
  writer.message(number, before)
}

function readNested<Message>(reader: WireReader, type: MessageType<Message>): Message {
  const outer = reader.enter()
  const value = type.read(reader)
  reader.leave(outer)
  return value
}

export function messages<Message>(number: number, type: MessageType<Message>): Field<readonly Message[]> {
  return {
    number,
    absent: () => [],
    write(writer, values) {
      for (const value of (values as Draft<Message>[]).toReversed()) writeNested(writer, number, { type, value })
    },
    read: (reader, before) => added(before, readNested(reader, type)),
    complete: (values) => (values as Draft<Message>[]).map((value) => type.complete(value)),
  }
}

export function texts(number: number): Field<readonly string[]> {
  return {
    number,
    absent: () => [],
    write(writer, values) {
      for (const value of (values as string[]).toReversed()) writer.text(number, value)
    },
    read: (reader, before) => added(before, reader.text()),
    complete: (values) => [...(values as string[])],
  }
}

/** Written packed, as proto3 does; read either way. */
export function integers(number: number): Field<readonly number[]> {
  return {
    number,
    absent: () => [],
    write(writer, values) {
      if (values.length === 0) return
      const before = writer.written
      for (const value of (values as number[]).toReversed()) writer.integerAlone(value)
      writer.message(number, before)
    },
    read(reader, before) {
      if (reader.type !== lengthType) return added(before, reader.number())
      const outer = reader.enter()
      while (!reader.atEnd) added(before, reader.numberAlone())
      reader.leave(outer)
      return before
    },
    complete: (values) => [...(values as number[])],
  }
}

/** Names and texts. Written in the order of the names, so that the same map has the same bytes. */
export function textMap(number: number): Field<Readonly<Record<string, string>>> {
  return {
    number,
    absent: () => ({}),
    write(writer, map) {
      for (const [key, value] of definedEntries(map).sort(([a], [b]) => (a < b ? 1 : -1))) {
        const before = writer.written
        if (value !== '') writer.text(2, value)
        if (key !== '') writer.text(1, key)
        writer.message(number, before)
      }
    },
    read(reader, before) {
      const outer = reader.enter()
      let [key, value] = ['', '']
      while (reader.next()) {
        if (reader.field === 1) key = reader.text()
        else if (reader.field === 2) value = reader.text()
        else reader.skip()
      }
      reader.leave(outer)
      Object.defineProperty(before, key, { value, enumerable: true, configurable: true, writable: true })
      return before
    },
    complete: (map) => Object.fromEntries(definedEntries(map)),
  }
}

function definedEntries(map: object): [string, string][] {
  return (Object.entries(map) as [string, string | undefined][]).filter(
    (entry): entry is [string, string] => entry[1] !== undefined,
  )
}

/** Only `read` adds to a list, and only to one that it made itself. */
function added<Element>(list: readonly Element[], element: Element): readonly Element[] {
  ;(list as Element[]).push(element)
  return list
}
