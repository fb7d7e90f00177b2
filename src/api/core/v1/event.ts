import { int32, microTime, ref, string, time } from '../../../schema/fields.js'
import type { Infer, Instance } from '../../../schema/infer.js'
import { column, kind, schema, wideColumn } from '../../../schema/schema.js'
import { objectMetadata } from '../../meta/v1/object-meta.js'
import type { ObjectReference } from './object-reference.js'

export const Event = kind('core/v1.Event', {
  required: {
    metadata: objectMetadata,
    involvedObject: ref<ObjectReference>(2, 'core/v1.ObjectReference'),
  },
  optional: {
    reason: string(3),
    message: string(4),
    source: ref<EventSource>(5, 'core/v1.EventSource', { always: true }),
    firstTimestamp: time(6, { always: true }),
    lastTimestamp: time(7, { always: true }),
    count: int32(8),
    type: string(9),
    eventTime: microTime(10, { always: true }),
    series: ref<EventSeries>(11, 'core/v1.EventSeries'),
    action: string(12),
    related: ref<ObjectReference>(13, 'core/v1.ObjectReference'),
    reportingComponent: string(14, { always: true }),
    reportingInstance: string(15, { always: true }),
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

export const EventSeries = schema('core/v1.EventSeries', {
  optional: {
    count: int32(1),
    lastObservedTime: microTime(2, { always: true }),
  },
})
export interface EventSeries extends Infer<typeof EventSeries> {}

export const EventSource = schema('core/v1.EventSource', {
  optional: {
    component: string(1),
    host: string(2),
  },
})
export interface EventSource extends Infer<typeof EventSource> {}
