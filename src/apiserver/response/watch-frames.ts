import type { Clock } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { eventInProtobuf, objectInProtobuf, valueInProtobuf } from './protobuf.js'
import type { Representation } from './representation.js'
import { type EncodedEvent, type EncodedObject, jsonLength, type WatchResponse } from './response.js'
import { partialMetadata, tableOf } from './tables.js'

/** How the events of a watch become lines on the wire. Plain ones are framed once for all watchers that see the same event. */
export function eventEncoder(response: WatchResponse, clock: Clock): (event: EncodedEvent) => Uint8Array {
  const { representation, type } = response
  if (representation.as !== 'object') return transformedFrame(response, clock)
  const known = representation.media === 'protobuf' ? frames.protobuf : frames.json
  return (event) => known.of(event, type)
}

/** A watch that fails says so in its last event. */
export function errorFrame({ media }: Representation, status: JsonObject): Uint8Array {
  return framed(media, 'ERROR', status)
}

function framed(media: Representation['media'], type: string, object: JsonObject, of?: ObjectType): Uint8Array {
  if (media === 'protobuf') return eventInProtobuf(type, valueInProtobuf(object, of))
  return Buffer.from(`${JSON.stringify({ type, object })}\n`)
}

/** By object and type of event: an object that changes hands between many watchers is framed once. */
class Frames {
  readonly #known = new WeakMap<EncodedObject, Map<string, Uint8Array>>()
  readonly #make: (event: EncodedEvent, type: ObjectType) => Uint8Array

  constructor(make: (event: EncodedEvent, type: ObjectType) => Uint8Array) {
    this.#make = make
  }

  of(event: EncodedEvent, type: ObjectType): Uint8Array {
    let byType = this.#known.get(event.object)
    if (!byType) {
      byType = new Map()
      this.#known.set(event.object, byType)
    }
    let bytes = byType.get(event.type)
    if (!bytes) {
      bytes = this.#make(event, type)
      byType.set(event.type, bytes)
    }
    return bytes
  }
}

const end = Buffer.from('}\n')

const frames = {
  json: new Frames(({ type, object: { bytes } }) =>
    Buffer.concat([Buffer.from(`{"type":"${type}","object":`), bytes.subarray(0, jsonLength(bytes)), end]),
  ),
  protobuf: new Frames(({ type, object }, kind) => eventInProtobuf(type, objectInProtobuf(kind, object))),
}

/** The first table says what its columns are, the later ones only have rows. Bookmarks are tables without rows. */
function transformedFrame({ type, representation }: WatchResponse, clock: Clock): (event: EncodedEvent) => Uint8Array {
  let isFirst = true
  const transform = ({ type: event, object: shown }: EncodedEvent): JsonObject => {
    const { object } = shown
    if (representation.as !== 'Table') return partialMetadata(object, representation.version)
    const { resourceVersion = '' } = object.metadata
    const table = tableOf({
      type,
      objects: event === 'BOOKMARK' ? [] : [shown],
      metadata: { resourceVersion },
      representation,
      now: clock.now(),
      withoutColumns: !isFirst,
    })
    isFirst = false
    return table
  }
  return (event) => framed(representation.media, event.type, transform(event), type)
}
