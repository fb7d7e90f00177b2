import { declareTable } from '../../../schema/schema.js'
import { declareStrategy } from '../../../schema/strategy.js'
import { eventCells } from '../../core/v1/event/cells.js'
import { validateEvent, validateStrictEvent, validateStrictEventUpdate } from '../../core/v1/event/validation.js'
import type { Event as StoredEvent } from '../../core/v1/event.js'
import { subdomainName } from '../../metadata/name-validation.js'
import { Event, type EventSeries } from './event.js'

export const eventTable = declareTable<Event>(
  Event,
  Object.fromEntries(
    Object.entries(eventCells).map(([name, cell]) => [name, (event: Event, now: number) => cell(toStored(event), now)]),
  ),
)

/** Events are stored in core/v1. Their validation depends on the version of the request. */
export const eventStrategy = declareStrategy<Event>(Event, {
  name: subdomainName,
  stored: {
    type: 'core/v1.Event',
    toStored,
    fromStored,
    fields: {
      'regarding.kind': 'involvedObject.kind',
      'regarding.namespace': 'involvedObject.namespace',
      'regarding.name': 'involvedObject.name',
      'regarding.uid': 'involvedObject.uid',
      'regarding.apiVersion': 'involvedObject.apiVersion',
      'regarding.resourceVersion': 'involvedObject.resourceVersion',
      'regarding.fieldPath': 'involvedObject.fieldPath',
      reason: 'reason',
      reportingController: 'reportingComponent',
      type: 'type',
    },
  },
  *validate(event) {
    const stored = toStored(event)
    yield* validateEvent(stored, 'events/v1')
    yield* validateStrictEvent(stored)
  },
  *validateUpdate(event, old) {
    const stored = toStored(event)
    yield* validateEvent(stored, 'events/v1')
    yield* validateStrictEventUpdate(stored, toStored(old))
  },
  createdByUpdate: true,
})

function toStored(event: Event): StoredEvent {
  const {
    regarding: involvedObject,
    note: message,
    reportingController: reportingComponent = '',
    reportingInstance = '',
    deprecatedSource: source,
    deprecatedFirstTimestamp: firstTimestamp,
    deprecatedLastTimestamp: lastTimestamp,
    deprecatedCount: count,
    ...same
  } = event
  return given<StoredEvent>({
    involvedObject,
    message,
    reportingComponent,
    reportingInstance,
    source,
    firstTimestamp,
    lastTimestamp,
    count,
    ...same,
  })
}

function fromStored(event: StoredEvent): Event {
  const {
    involvedObject: regarding,
    message: note,
    reportingComponent: reportingController,
    source: deprecatedSource,
    firstTimestamp: deprecatedFirstTimestamp,
    lastTimestamp: deprecatedLastTimestamp,
    count: deprecatedCount,
    series,
    ...same
  } = event
  return given<Event>({
    series: series as EventSeries,
    regarding,
    note,
    reportingController,
    deprecatedSource,
    deprecatedFirstTimestamp,
    deprecatedLastTimestamp,
    deprecatedCount,
    ...same,
  })
}

/** Removes undefined members. */
function given<T>(object: { readonly [K in keyof T]: T[K] | undefined }): T {
  const copy: { [K in keyof T]?: T[K] | undefined } = {}
  for (const key in object) if (object[key] !== undefined) copy[key] = object[key]
  return copy as T
}
