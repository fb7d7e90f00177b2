import { WireWriter } from '../../base/protobuf/writer.js'
import type { ObjectType } from '../../schema/model.js'
import { encodeProtobuf } from '../../schema/protobuf/encode.js'
import { inEnvelope } from '../../wire/protobuf.js'
import { type EncodedEvent, type EncodedObject, jsonLength } from './response.js'

/** Encodes API objects and watch events for responses. */
export interface ObjectEncoder {
  /** Returns the JSON in canonical form, and a line feed. */
  json(object: EncodedObject): Uint8Array
  /** Returns the protobuf message without its envelope. */
  protobuf(type: ObjectType, object: EncodedObject): Uint8Array
  /** Returns the event as a line of JSON. */
  jsonEvent(event: EncodedEvent): Uint8Array
  /** Returns the event as a protobuf message with its length. */
  protobufEvent(event: EncodedEvent, type: ObjectType): Uint8Array
}

/** Returns the encoder of a server: the one that shares bytes, unless that fast path is off (`docs/fast-paths.md`). */
export function objectEncoder(sharesBytes: boolean): ObjectEncoder {
  return sharesBytes ? new SharingEncoder() : simpleEncoder
}

const eventEnd = Buffer.from('}\n')

function eventLine(type: string, json: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`{"type":"${type}","object":`), json.subarray(0, jsonLength(json)), eventEnd])
}

function envelopeOf({ kind }: ObjectType, message: Uint8Array): Uint8Array {
  return inEnvelope({ apiVersion: kind!.apiVersion, kind: kind!.kind, message })
}

/** The simple encoder: it encodes each object again for every response. */
export const simpleEncoder: ObjectEncoder = {
  json: ({ object }) => Buffer.from(`${JSON.stringify(object)}\n`),
  protobuf: (type, { object }) => encodeProtobuf(type, object),
  jsonEvent: ({ type, object }) => eventLine(type, simpleEncoder.json(object)),
  protobufEvent: ({ type, object }, kind) =>
    protobufEvent(type, envelopeOf(kind, simpleEncoder.protobuf(kind, object))),
}

/**
 * The fast encoder: it encodes each object once per format, and each watch event once for all watchers that see it. The bytes live as long as
 * the object does. JSON is not encoded here at all: the cache has the stored bytes.
 */
class SharingEncoder implements ObjectEncoder {
  readonly #messages = new WeakMap<EncodedObject, Uint8Array>()
  readonly #jsonEvents = new EventBytes()
  readonly #protobufEvents = new EventBytes()

  json({ bytes }: EncodedObject): Uint8Array {
    return bytes
  }

  protobuf(type: ObjectType, object: EncodedObject): Uint8Array {
    const known = this.#messages.get(object)
    if (known) return known
    const message = encodeProtobuf(type, object.object)
    this.#messages.set(object, message)
    return message
  }

  jsonEvent(event: EncodedEvent): Uint8Array {
    return this.#jsonEvents.of(event) ?? this.#jsonEvents.add(event, eventLine(event.type, event.object.bytes))
  }

  protobufEvent(event: EncodedEvent, type: ObjectType): Uint8Array {
    const known = this.#protobufEvents.of(event)
    if (known) return known
    const object = envelopeOf(type, this.protobuf(type, event.object))
    return this.#protobufEvents.add(event, protobufEvent(event.type, object))
  }
}

/** The bytes of watch events, by object and type of the event. */
class EventBytes {
  readonly #byObject = new WeakMap<EncodedObject, Map<string, Uint8Array>>()

  of({ object, type }: EncodedEvent): Uint8Array | undefined {
    return this.#byObject.get(object)?.get(type)
  }

  add({ object, type }: EncodedEvent, bytes: Uint8Array): Uint8Array {
    const byType = this.#byObject.get(object)
    if (byType) byType.set(type, bytes)
    else this.#byObject.set(object, new Map([[type, bytes]]))
    return bytes
  }
}

/** Encodes a watch event: its length in four bytes, its type, and the object in its envelope. */
export function protobufEvent(type: string, object: Uint8Array): Uint8Array {
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
