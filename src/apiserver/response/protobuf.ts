import { noAcceptedMediaType } from '../../api/errors.js'
import { builtin } from '../../api/scheme.js'
import { WireWriter } from '../../base/protobuf/writer.js'
import type { JsonObject, JsonValue } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { hasProtobuf } from '../../schema/protobuf/layout.js'
import { envelopeParts, inEnvelope } from '../../wire/protobuf.js'
import type { ObjectEncoder } from './object-encoder.js'
import type { EncodedObject, Representation } from './response.js'

/** Returns the representation for objects of a type: if they have no protobuf form, what the client accepts next. Throws 406 without one. */
export function spokenRepresentation(representation: Representation, type: ObjectType): Representation {
  if (representation.media !== 'protobuf' || representation.as !== 'object' || hasProtobuf(type)) return representation
  if (!representation.otherwise) throw noAcceptedMediaType(['application/json', 'application/yaml'])
  return representation.otherwise
}

export function objectInProtobuf(type: ObjectType, object: EncodedObject, encoder: ObjectEncoder): Uint8Array {
  const { apiVersion, kind } = type.kind!
  return inEnvelope({ apiVersion, kind, message: encoder.protobuf(type, object) })
}

export interface ProtobufListOptions {
  /** The type of the items. */
  readonly type: ObjectType
  readonly metadata: JsonObject
  readonly items: readonly EncodedObject[]
  readonly encoder: ObjectEncoder
}

const listMeta = () => builtin.type('meta/v1.ListMeta')
const objectMeta = () => builtin.type('meta/v1.ObjectMeta')

/** Returns the parts of a list, in the order in which they are sent. The messages of the items are used as they are. */
export function listInProtobuf({ type, metadata, items, encoder }: ProtobufListOptions): readonly Uint8Array[] {
  const { apiVersion, kind } = type.kind!
  const pieces = [field(1, encodeProtobuf(listMeta(), metadata))]
  for (const item of items) {
    const message = encoder.protobuf(type, item)
    pieces.push(header(2, message.length), message)
  }
  return envelopeParts({ apiVersion, kind: `${kind}List` }, pieces)
}

/**
 * Encodes a value that is built for one response: a status, or objects reduced to their metadata. `of` is the type of the objects whose
 * metadata it contains.
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

/** Returns the type of the metadata. Its fields depend on the feature gates of the server. */
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
