import type { Buffer } from 'node:buffer'
import { WireReader } from '../../base/protobuf/reader.js'
import { WireWriter } from '../../base/protobuf/writer.js'

/** One field of a message: its value in memory and its encoding. The functions in `fields.ts` create them. */
export interface CriField<Value> {
  readonly number: number
  /** The value of the field in a message that does not contain it. */
  defaultValue(): Value
  /** Writes nothing if the value equals that of an absent field. */
  write(writer: WireWriter, value: PartialMessage<Value>): void
  /** `before` is the value read so far: lists and maps arrive in several pieces. */
  read(reader: WireReader, before: Value): Value
  /** Fills in all omitted fields. Returns a copy, so that later changes of the original have no effect. */
  complete(value: PartialMessage<Value>): Value
}

export type CriFields = Readonly<Record<string, CriField<unknown>>>

/** The codec of one message type of CRI. */
export interface MessageType<Message> {
  encode(message: PartialMessage<Message>): Buffer
  decode(bytes: Buffer): Message
  complete(message: PartialMessage<Message>): Message
  /** Writes the fields without a length before them. */
  write(writer: WireWriter, message: PartialMessage<Message>): void
  /** Reads fields up to the end of the reader's current message. */
  read(reader: WireReader): Message
}

type ValueOf<F> = F extends CriField<infer Value> ? Value : never
type Nested<F extends CriFields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F]

/** A decoded message: every string, number, list and map is present; a nested message may be undefined. */
type MessageOf<F extends CriFields> = { readonly [K in Exclude<keyof F, Nested<F>>]: ValueOf<F[K]> } & {
  readonly [K in Nested<F>]?: ValueOf<F[K]>
}

/** The TypeScript type of a declared message. */
export type InferMessage<Type> = Type extends MessageType<infer Message> ? Message : never

type Scalar = string | number | bigint | boolean | Uint8Array | undefined

/** A message as callers write it: an omitted field has its zero value. */
export type PartialMessage<Message> = Message extends Scalar
  ? Message
  : Message extends readonly (infer Element)[]
    ? readonly PartialMessage<Element>[]
    : { readonly [K in keyof Message]?: PartialMessage<Message[K]> | undefined }

type Values = Record<string, NonNullable<unknown> | undefined>
type AnyField = readonly [name: string, field: CriField<NonNullable<unknown>>]

/**
 * Declares a message: its field names in memory, with field numbers and types. Decoding skips unknown fields, as protobuf requires,
 * because a newer runtime may send more fields.
 */
export function message<F extends CriFields>(fields: F): MessageType<MessageOf<F>> {
  const ascending = (Object.entries(fields) as unknown as AnyField[]).sort(([, a], [, b]) => a.number - b.number)
  return new DeclaredMessage(ascending) as unknown as MessageType<MessageOf<F>>
}

class DeclaredMessage implements MessageType<Values> {
  readonly #ascending: readonly AnyField[]
  /** The writer writes backwards. */
  readonly #descending: readonly AnyField[]
  readonly #byNumber: readonly (AnyField | undefined)[]

  constructor(ascending: readonly AnyField[]) {
    this.#ascending = ascending
    this.#descending = ascending.toReversed()
    const byNumber: AnyField[] = []
    for (const entry of ascending) byNumber[entry[1].number] = entry
    this.#byNumber = byNumber
  }

  encode(values: Values): Buffer {
    const writer = new WireWriter()
    this.write(writer, values)
    return writer.finish()
  }

  decode(bytes: Buffer): Values {
    return this.read(new WireReader(bytes))
  }

  complete(values: Values): Values {
    const complete: Values = {}
    for (const [name, field] of this.#ascending) {
      const value = values[name]
      complete[name] = value === undefined ? field.defaultValue() : field.complete(value)
    }
    return complete
  }

  write(writer: WireWriter, values: Values): void {
    for (const [name, field] of this.#descending) {
      const value = values[name]
      if (value !== undefined) field.write(writer, value)
    }
  }

  read(reader: WireReader): Values {
    const values: Values = {}
    for (const [name, field] of this.#ascending) values[name] = field.defaultValue()
    while (reader.next()) {
      const entry = this.#byNumber[reader.field]
      if (entry) values[entry[0]] = entry[1].read(reader, values[entry[0]]!)
      else reader.skip()
    }
    return values
  }
}
