import { int32, microTime, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, schema, wideColumn } from '../../../schema/schema.js'
import type { EventSource } from '../../core/v1/event.js'
import type { ObjectReference } from '../../core/v1/object-reference.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'

export const Event = kind('events/v1.Event', {
  required: {
    eventTime: microTime(2),
  },
  optional: {
    metadata: objectMetadata,
    series: ref<EventSeries>(3, 'events/v1.EventSeries'),
    reportingController: string(4),
    reportingInstance: string(5),
    action: string(6),
    reason: string(7),
    regarding: ref<ObjectReference>(8, 'core/v1.ObjectReference', { always: true }),
    related: ref<ObjectReference>(9, 'core/v1.ObjectReference'),
    note: string(10),
    type: string(11),
    deprecatedSource: ref<EventSource>(12, 'core/v1.EventSource', { always: true }),
    deprecatedFirstTimestamp: time(13, { always: true }),
    deprecatedLastTimestamp: time(14, { always: true }),
    deprecatedCount: int32(15),
  },
  resource: {
    plural: 'events',
    shortNames: ['ev'],
    namespaced: true,
    columns: [
      column('Last Seen'),
      column('Type'),
      column('Reason'),
      column('Object'),
      wideColumn('Subobject'),
      wideColumn('Source'),
      column('Message'),
      wideColumn('First Seen'),
      wideColumn('Count'),
      wideColumn('Name', { format: 'name' }),
    ],
  },
})
export interface Event extends Instance<typeof Event> {}

export const EventSeries = schema('events/v1.EventSeries', {
  required: {
    count: int32(1),
    lastObservedTime: microTime(2),
  },
})
export interface EventSeries extends Infer<typeof EventSeries> {}
