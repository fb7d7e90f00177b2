import { declareTable, type TableCells } from '../../../../schema/schema.js'
import { age } from '../../../../schema/table.js'
import { Event } from '../event.js'

/** Both versions of events show the same cells. */
export const eventCells = {
  'Last Seen': lastSeen,
  Type: ({ type = '' }) => type,
  Reason: ({ reason = '' }) => reason,
  Object: ({ involvedObject: { kind = '', name = '' } }) => kind.toLowerCase() + (name === '' ? '' : `/${name}`),
  Subobject: ({ involvedObject: { fieldPath = '' } }) => fieldPath,
  Source: sourceCell,
  Message: ({ message = '' }) => message.trim(),
  'First Seen': firstSeen,
  Count: ({ series, count }) => (series ? (series.count ?? 0) : count || 1),
  Name: ({ metadata }) => metadata.name ?? '',
} satisfies TableCells<Event>

export const eventTable = declareTable<Event>(Event, eventCells)

function firstSeen({ firstTimestamp, eventTime }: Event, now: number): string {
  return age(firstTimestamp ?? eventTime, now)
}

/** The last time of a series is later than that of the event. */
function lastSeen(event: Event, now: number): string {
  const { series, lastTimestamp } = event
  if (series) return age(series.lastObservedTime, now)
  return lastTimestamp ? age(lastTimestamp, now) : firstSeen(event, now)
}

function sourceCell({ source, reportingComponent, reportingInstance }: Event): string {
  const instance = source?.host || reportingInstance
  return (source?.component || reportingComponent) + (instance === '' ? '' : `, ${instance}`)
}
