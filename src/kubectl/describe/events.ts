import type { Event } from '../../api/core/v1/event.js'
import { ApiError } from '../../api/errors.js'
import { escapeValue } from '../../api/selectors/field-selector.js'
import { compareText } from '../../schema/text-order.js'
import { resourcePath } from '../resources/resource-object.js'
import type { DescribeContext } from './context.js'

export interface EventSubject {
  readonly kind?: string | undefined
  readonly metadata: { readonly name?: string; readonly namespace?: string; readonly uid?: string }
}

const events = { root: '/api/v1', plural: 'events', namespaced: true }

/** Writes the events of an object. Writes nothing if the user may not list events. */
export async function eventsOf(subject: EventSubject, on: DescribeContext): Promise<void> {
  if (!on.showEvents) return
  writeEvents(await findEvents(subject, on), on)
}

/** Returns no events on errors: the rest of the description is still useful. */
export async function findEvents({ kind, metadata }: EventSubject, on: DescribeContext): Promise<readonly Event[]> {
  const { name = '', namespace = '', uid } = metadata
  const wanted: Readonly<Record<string, string | undefined>> = {
    'involvedObject.name': name,
    'involvedObject.namespace': namespace,
    'involvedObject.kind': kind,
    'involvedObject.uid': uid,
  }
  const terms = Object.entries(wanted).filter(([, value]) => value !== undefined)
  const fieldSelector = terms.map(([field, value]) => `${field}=${escapeValue(value!)}`).join(',')
  try {
    return await on.list<Event>(resourcePath(events, namespace), { fieldSelector })
  } catch (error) {
    if (error instanceof ApiError) return []
    throw error
  }
}

export function writeEvents(found: readonly Event[], on: DescribeContext): void {
  const { page } = on
  if (found.length === 0) {
    page.field('Events', '<none>')
    return
  }
  page.flush()
  page.line(0, 'Events:')
  page.line(1, 'Type', 'Reason', 'Age', 'From', 'Message')
  page.line(1, '----', '------', '----', '----', '-------')
  const sorted = [...found].sort((left, right) => compareText(lastTime(left), lastTime(right)))
  for (const event of sorted) {
    const { type = '', reason = '', source, reportingComponent = '', message = '' } = event
    page.line(1, type, reason, ageOf(event, on), source?.component || reportingComponent, message.trim())
  }
}

function lastTime({ lastTimestamp }: Event): string {
  return lastTimestamp ?? ''
}

/** `5s`, or `5s (x3 over 2m)` for a repeated event. */
export function ageOf(event: Event, on: Pick<DescribeContext, 'since'>): string {
  const { eventTime, firstTimestamp, lastTimestamp, series, count = 0 } = event
  const first = on.since(eventTime ?? firstTimestamp)
  if (series) return `${on.since(series.lastObservedTime)} (x${series.count ?? 0} over ${first})`
  return count > 1 ? `${on.since(lastTimestamp)} (x${count} over ${first})` : first
}
