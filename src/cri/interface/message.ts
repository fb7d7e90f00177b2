import type { Buffer } from 'node:buffer'
import { WireReader } from '../../base/protobuf/reader.js'
import { WireWriter } from '../../base/protobuf/writer.js'

/** One field of a message: how its value looks in memory and on the wire. The functions in `fields.ts` make them. */
export interface CriField<Value> {
  readonly number: number
  /** What a message has there that does not mention the field. */
  defaultValue(): Value
  /** Writes nothing where the value says no more than an absent field would. */
  write(writer: WireWriter, value: PartialMessage<Value>): void
  /** `before` is what is known so far: lists and maps come in pieces. */
  read(reader: WireReader, before: Value): Value
  /** The value with everything in it that was left out, and nothing in it that the one who gave it can change. */
  complete(value: PartialMessage<Value>): Value
}

export type CriFields = Readonly<Record<string, CriField<unknown>>>

/** A kind of message of the container runtime interface. */
export interface MessageType<Message> {
  encode(message: PartialMessage<Message>): Buffer
  decode(bytes: Buffer): Message
  complete(message: PartialMessage<Message>): Message
  /** Writes the fields without a length before them. */
  write(writer: WireWriter, message: PartialMessage<Message>): void
  /** Reads fields up to the end of the message that the reader is in. */
  read(reader: WireReader): Message
}

type ValueOf<F> = F extends CriField<infer Value> ? Value : never
type Nested<F extends CriFields> = { [K in keyof F]: undefined extends ValueOf<F[K]> ? K : never }[keyof F]

/** A message as it is read: each text, number, list and map is there; a message within it may be missing. */
type MessageOf<F extends CriFields> = { readonly [K in Exclude<keyof F, Nested<F>>]: ValueOf<F[K]> } & {
  readonly [K in Nested<F>]?: ValueOf<F[K]>
}

/** The TypeScript type of a declared message. */
export type InferMessage<Type> = Type extends MessageType<infer Message> ? Message : never

type Scalar = string | number | bigint | boolean | Uint8Array | undefined

/** A message as it is written: whatever is left out has its zero. */
export type PartialMessage<Message> = Message extends Scalar
  ? Message
  : Message extends readonly (infer Element)[]
    ? readonly PartialMessage<Element>[]
    : { readonly [K in keyof Message]?: PartialMessage<Message[K]> | undefined }

type Values = Record<string, NonNullable<unknown> | undefined>
type AnyField = readonly [name: string, field: CriField<NonNullable<unknown>>]

/**
 * Declares a message: the names of its fields, as they are called in memory, with their numbers and kinds. What is not
 * declared is passed over when it is read, as protobuf wants it: a newer runtime may say more than we know.
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
