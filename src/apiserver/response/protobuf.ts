import { noAcceptedMediaType } from '../../api/errors.js'
import { builtin } from '../../api/scheme.js'
import { WireWriter } from '../../base/protobuf/writer.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { hasProtobuf } from '../../schema/protobuf/layout.js'
import { envelopeParts, inEnvelope } from '../../wire/protobuf.js'
import type { Representation } from './representation.js'
import type { EncodedObject } from './response.js'

/** What is really spoken about objects of a type: whoever prefers protobuf gets what he likes next if they have no protobuf. */
export function spokenRepresentation(representation: Representation, type: ObjectType): Representation {
  if (representation.media !== 'protobuf' || representation.as !== 'object' || hasProtobuf(type)) return representation
  if (!representation.otherwise) throw noAcceptedMediaType(['application/json', 'application/yaml'])
  return representation.otherwise
}

/** Encoded once, when it is first asked for in protobuf, and kept as long as the object itself. */
const messages = new WeakMap<EncodedObject, Uint8Array>()

function messageOf(type: ObjectType, object: EncodedObject): Uint8Array {
  const known = messages.get(object)
  if (known) return known
  const message = encodeProtobuf(type, object.object)
  messages.set(object, message)
  return message
}

export function objectInProtobuf(type: ObjectType, object: EncodedObject): Uint8Array {
  const { apiVersion, kind } = type.kind!
  return inEnvelope({ apiVersion, kind, message: messageOf(type, object) })
}

export interface ProtobufListOptions {
  /** Of the items. */
  readonly type: ObjectType
  readonly metadata: JsonObject
  readonly items: readonly EncodedObject[]
}

const listMeta = () => builtin.type('meta/v1.ListMeta')
const objectMeta = () => builtin.type('meta/v1.ObjectMeta')

/** A list as its pieces, to be sent one after the other: the messages of its items stand in it as they are. */
export function listInProtobuf({ type, metadata, items }: ProtobufListOptions): readonly Uint8Array[] {
  const { apiVersion, kind } = type.kind!
  const pieces = [field(1, encodeProtobuf(listMeta(), metadata))]
  for (const item of items) {
    const message = messageOf(type, item)
    pieces.push(header(2, message.length), message)
  }
  return envelopeParts({ apiVersion, kind: `${kind}List` }, pieces)
}

/**
 * A value that has no declaration as a whole, or is made anew for each answer: what only metadata is shown of, or a status. `of` is
 * the type of the objects whose metadata it shows.
 */
export function valueInProtobuf(value: JsonObject, of?: ObjectType): Uint8Array {
  const { apiVersion = 'v1', kind } = value
  return inEnvelope({ apiVersion: String(apiVersion), kind: String(kind), message: valueMessage(value, of) })
}

function valueMessage(value: JsonObject, of: ObjectType | undefined): Uint8Array {
  if (value.kind === 'PartialObjectMetadata')
    return field(1, encodeProtobuf(metadataType(of), value.metadata as JsonObject))
  if (value.kind === 'PartialObjectMetadataList') {
    const items = (value.items ?? []) as readonly JsonValue[]
    const parts = items.map((item) => field(2, valueMessage(item as JsonObject, of)))
    return Buffer.concat([field(1, encodeProtobuf(listMeta(), value.metadata as JsonObject)), ...parts])
  }
  return encodeProtobuf(builtin.type(`meta/v1.${value.kind}`), value)
}

/** Which fields there are depends on the features of the server that the objects are of. */
function metadataType(of: ObjectType | undefined): ObjectType {
  const declared = of?.field.get('metadata')?.type
  return declared?.is === 'object' ? declared.object : objectMeta()
}

function header(number: number, length: number): Uint8Array {
  const writer = new WireWriter(16)
  writer.messageAhead(number, length)
  return writer.finish()
}

function field(number: number, message: Uint8Array): Uint8Array {
  const writer = new WireWriter(message.length + 16)
  writer.raw(message)
  writer.message(number, 0)
  return writer.finish()
}

/** An event of a watch: its length in four bytes, its type, and the object as it would travel alone. */
export function eventInProtobuf(type: string, object: Uint8Array): Uint8Array {
  const writer = new WireWriter(object.length + 64)
  writer.raw(object)
  writer.message(1, 0)
  writer.message(2, 0)
  writer.text(1, type)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(writer.written)
  writer.raw(length)
  return writer.finish()
}
