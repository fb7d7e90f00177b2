import { Buffer } from 'node:buffer'
import type { WireReader } from '../../base/protobuf/reader.js'
import type { WireWriter } from '../../base/protobuf/writer.js'
import { lengthType } from '../../base/protobuf/writer.js'
import type { CriField, MessageType, PartialMessage } from './message.js'

/** Encodes and decodes single values of one type. */
interface Scalar<Value> {
  readonly zero: Value
  write(writer: WireWriter, field: number, value: Value): void
  read(reader: WireReader): Value
}

const stringScalar: Scalar<string> = {
  zero: '',
  write: (writer, field, value) => writer.text(field, value),
  read: (reader) => reader.text(),
}

const boolScalar: Scalar<boolean> = {
  zero: false,
  write: (writer, field, value) => writer.flag(field, value),
  read: (reader) => reader.flag(),
}

const intScalar: Scalar<number> = {
  zero: 0,
  write: (writer, field, value) => writer.integer(field, value),
  read: (reader) => reader.number(),
}

const uintScalar: Scalar<number> = {
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

const bigintScalar: Scalar<bigint> = {
  zero: 0n,
  write: (writer, field, value) => writer.bigint(field, BigInt.asUintN(64, value)),
  read: (reader) => BigInt(reader.decimal()),
}

function scalarField<Value>(number: number, { zero, write, read }: Scalar<Value>): CriField<Value> {
  return {
    number,
    defaultValue: () => zero,
    write(writer, value) {
      if ((value as Value) !== zero) write(writer, number, value as Value)
    },
    read,
    complete: (value) => value as Value,
  }
}

export const stringField = (number: number): CriField<string> => scalarField(number, stringScalar)
export const boolField = (number: number): CriField<boolean> => scalarField(number, boolScalar)
export const doubleField = (number: number): CriField<number> => scalarField(number, doubleScalar)
/** A signed integer of 32 or 64 bits; exact up to 2^53. */
export const intField = (number: number): CriField<number> => scalarField(number, intScalar)
/** An unsigned integer of 32 or 64 bits; exact up to 2^53. */
export const uintField = (number: number): CriField<number> => scalarField(number, uintScalar)
/** Nanoseconds since the Unix epoch, as `bigint` because a `number` is not exact enough; 0 means no time. */
export const timestampField = (number: number): CriField<bigint> => scalarField(number, bigintScalar)

export function bytesField(number: number): CriField<Buffer> {
  return {
    number,
    defaultValue: () => Buffer.alloc(0),
    write: (writer, value) => writer.bytes(number, value as Buffer),
    read: (reader) => reader.bytes(),
    complete: (value) => Buffer.from(value as Buffer),
  }
}

/**
 * An enum. The index of a name is its number on the wire. An unknown number, from a newer runtime, is decoded as `#` and the number,
 * and encoded as that number again.
 */
export function enumField<Name extends string>(number: number, names: readonly Name[]): CriField<Name> {
  const numbers = new Map<string, number>(names.map((name, index) => [name, index]))
  const numberOf = (name: string): number => {
    const known = numbers.get(name) ?? (name.startsWith('#') ? Number(name.slice(1)) : Number.NaN)
    if (Number.isNaN(known)) throw new TypeError(`${name} is not one of ${names.join(', ')}`)
    return known
  }
  return {
    number,
    defaultValue: () => names[0]!,
    write: (writer, name) => writer.number(number, numberOf(name as Name)),
    read(reader) {
      const found = reader.number()
      return names[found] ?? (`#${found}` as Name)
    },
    complete: (name) => name as Name,
  }
}

/** A nested message. An empty one differs from a missing one. */
export function messageField<Message>(number: number, type: MessageType<Message>): CriField<Message | undefined> {
  return {
    number,
    defaultValue: () => undefined,
    write: (writer, value) => writeNested(writer, number, { type, value: value as PartialMessage<Message> }),
    read: (reader) => readNested(reader, type),
    complete: (value) => type.complete(value as PartialMessage<Message>),
  }
}

function writeNested<Message>(
  writer: WireWriter,
  number: number,
  { type, value }: { readonly type: MessageType<Message>; readonly value: PartialMessage<Message> },
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

export function messageListField<Message>(number: number, type: MessageType<Message>): CriField<readonly Message[]> {
  return {
    number,
    defaultValue: () => [],
    write(writer, values) {
      for (const value of (values as PartialMessage<Message>[]).toReversed())
        writeNested(writer, number, { type, value })
    },
    read: (reader, before) => appended(before, readNested(reader, type)),
    complete: (values) => (values as PartialMessage<Message>[]).map((value) => type.complete(value)),
  }
}

export function stringListField(number: number): CriField<readonly string[]> {
  return {
    number,
    defaultValue: () => [],
    write(writer, values) {
      for (const value of (values as string[]).toReversed()) writer.text(number, value)
    },
    read: (reader, before) => appended(before, reader.text()),
    complete: (values) => [...(values as string[])],
  }
}

/** Encoded packed, as in proto3; decodes both forms. */
export function intListField(number: number): CriField<readonly number[]> {
  return {
    number,
    defaultValue: () => [],
    write(writer, values) {
      if (values.length === 0) return
      const before = writer.written
      for (const value of (values as number[]).toReversed()) writer.integerAlone(value)
      writer.message(number, before)
    },
    read(reader, before) {
      if (reader.type !== lengthType) return appended(before, reader.number())
      const outer = reader.enter()
      while (!reader.atEnd) appended(before, reader.numberAlone())
      reader.leave(outer)
      return before
    },
    complete: (values) => [...(values as number[])],
  }
}

/** A map from string to string. Encoded in the order of its keys, so that equal maps have equal bytes. */
export function stringMapField(number: number): CriField<Readonly<Record<string, string>>> {
  return {
    number,
    defaultValue: () => ({}),
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

/** Appends in place. Only `read` calls it, and only with a list that `read` created. */
function appended<Element>(list: readonly Element[], element: Element): readonly Element[] {
  ;(list as Element[]).push(element)
  return list
}
