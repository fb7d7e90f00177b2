import type { Clock } from '../../base/clock.js'
import type { JsonObject } from '../../schema/declaration.js'
import type { ObjectType } from '../../schema/model.js'
import { type ObjectEncoder, protobufEvent } from './object-encoder.js'
import { valueInProtobuf } from './protobuf.js'
import type { EncodedEvent, Representation, WatchResponse } from './response.js'
import { partialMetadata, tableOf } from './tables.js'

export interface EventEncoderOptions {
  readonly encoder: ObjectEncoder
  readonly clock: Clock
}

/** Returns the function that encodes the events of a watch in the representation of its response. */
export function eventEncoder(
  response: WatchResponse,
  { encoder, clock }: EventEncoderOptions,
): (event: EncodedEvent) => Uint8Array {
  const { representation, type } = response
  if (representation.as !== 'object') return transformingEncoder(response, clock)
  if (representation.media === 'protobuf') return (event) => encoder.protobufEvent(event, type)
  return (event) => encoder.jsonEvent(event)
}

/** Encodes the last event of a watch that failed. */
export function errorFrame({ media }: Representation, status: JsonObject): Uint8Array {
  return framed(media, 'ERROR', status)
}

function framed(media: Representation['media'], type: string, object: JsonObject, of?: ObjectType): Uint8Array {
  if (media === 'protobuf') return protobufEvent(type, valueInProtobuf(object, of))
  return Buffer.from(`${JSON.stringify({ type, object })}\n`)
}

/** The first table defines the columns; the others only have rows. A bookmark is a table without rows. */
function transformingEncoder(
  { type, representation }: WatchResponse,
  clock: Clock,
): (event: EncodedEvent) => Uint8Array {
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
