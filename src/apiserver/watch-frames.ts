import type { Clock } from '../base/clock.js'
import type { JsonObject } from '../schema/declaration.js'
import { type Encoded, jsonLength, type WatchAnswer, type WatchEvent } from './answer.js'
import { metadataOf, tableOf } from './tables.js'

/** How the events of a watch become lines on the wire. Plain ones are framed once for all watchers that see the same event. */
export function frame(answer: WatchAnswer, clock: Clock): (event: WatchEvent) => Uint8Array {
  return answer.representation.as === 'object' ? plainFrame : transformedFrame(answer, clock)
}

/** By object and type of event: an object that changes hands between many watchers is framed once. */
const frames = new WeakMap<Encoded, Map<string, Uint8Array>>()
const end = Buffer.from('}\n')

function plainFrame({ type, object }: WatchEvent): Uint8Array {
  let byType = frames.get(object)
  if (!byType) {
    byType = new Map()
    frames.set(object, byType)
  }
  let bytes = byType.get(type)
  if (!bytes) {
    bytes = Buffer.concat([
      Buffer.from(`{"type":"${type}","object":`),
      object.bytes.subarray(0, jsonLength(object.bytes)),
      end,
    ])
    byType.set(type, bytes)
  }
  return bytes
}

/** The first table says what its columns are, the later ones only have rows. Bookmarks are tables without rows. */
function transformedFrame({ type, representation }: WatchAnswer, clock: Clock): (event: WatchEvent) => Uint8Array {
  let isFirst = true
  const transform = ({ type: event, object: shown }: WatchEvent): JsonObject => {
    const { object } = shown
    if (representation.as !== 'Table') return metadataOf(object, representation.version)
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
  return (event) => Buffer.from(`${JSON.stringify({ type: event.type, object: transform(event) })}\n`)
}
