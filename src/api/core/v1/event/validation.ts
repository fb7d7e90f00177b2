/** Validates events of both API groups. Errors have the field names of core/v1, whichever version the client uses. */

import * as field from '../../../../schema/field-errors.js'
import { fieldPath } from '../../../../schema/field-path.js'
import { labelKey } from '../../../../schema/label-names.js'
import { dnsSubdomain } from '../../../../schema/names.js'
import { immutable, isSame } from '../../../validation/immutability.js'
import type { Event, EventSeries } from '../event.js'
import type { ObjectReference } from '../object-reference.js'

/** The version of the request. */
export type EventVersion = 'core/v1' | 'events/v1'

const namespacePath = fieldPath('involvedObject', 'namespace')

/** Validates an event of either version. Events with `eventTime` get the stricter validation of events/v1. */
export function* validateEvent(event: Event, version: EventVersion): Iterable<field.FieldError> {
  const { involvedObject, metadata } = event
  const namespace = involvedObject.namespace ?? ''
  const own = metadata.namespace ?? ''
  if (!isNamespaceFitting(event, namespace, own))
    yield field.invalid(namespacePath, namespace, 'does not match event.namespace')
  if (event.eventTime) yield* validateNewEvent(event, version)
  yield* field.invalidForEach(fieldPath('namespace'), own, dnsSubdomain(own))
}

/** Events of cluster-scoped objects are in `default`; those with `eventTime` may be in `kube-system` as well. */
function isNamespaceFitting({ eventTime }: Event, namespace: string, own: string): boolean {
  if (namespace === '') return own === '' || own === 'default' || (Boolean(eventTime) && own === 'kube-system')
  return Boolean(eventTime) || namespace === own
}

const longest = { reportingInstance: 128, action: 128, reason: 128, message: 1024 } as const

function* validateNewEvent(event: Event, version: EventVersion): Iterable<field.FieldError> {
  const { reportingComponent } = event
  const path = fieldPath(version === 'core/v1' ? 'reportingComponent' : 'reportingController')
  if (reportingComponent === '') yield field.required(path)
  yield* field.invalidForEach(path, reportingComponent, labelKey(reportingComponent))
  yield* validateText(event, 'reportingInstance', true)
  yield* validateText(event, 'action', true)
  yield* validateText(event, 'reason', true)
  yield* validateText(event, 'message', false)
}

function* validateText(event: Event, name: keyof typeof longest, isRequired: boolean): Iterable<field.FieldError> {
  const text = event[name] ?? ''
  if (text === '' && isRequired) yield field.required(fieldPath(name))
  if (Buffer.byteLength(text) > longest[name])
    yield field.invalid(fieldPath(name), '', `can have at most ${longest[name]} characters`)
}

/** Further validation of new events in events/v1. */
export function* validateStrictEvent(event: Event): Iterable<field.FieldError> {
  yield* validateSeries(event.series)
  if (!event.eventTime) yield field.required(fieldPath('eventTime'))
  const { type = '', source = {} } = event
  if (type !== 'Normal' && type !== 'Warning') yield field.invalid(fieldPath('type'), '', `has invalid value: ${type}`)
  const old = { firstTimestamp: event.firstTimestamp, lastTimestamp: event.lastTimestamp, count: event.count }
  for (const [name, value] of Object.entries({ ...old, source: source.component || source.host }))
    if (value) yield field.invalid(fieldPath(name), '', 'needs to be unset')
}

function* validateSeries(series: EventSeries | undefined): Iterable<field.FieldError> {
  if (!series) return
  if ((series.count ?? 0) < 2) yield field.invalid(fieldPath('series.count'), '', 'should be at least 2')
  if (!series.lastObservedTime) yield field.required(fieldPath('series.lastObservedTime'))
}

/** In events/v1 only the series of an event may change. */
export function* validateStrictEventUpdate(event: Event, old: Event): Iterable<field.FieldError> {
  if (!isSame(event.series, old.series)) yield* validateSeries(event.series)
  const after = fixedParts(event)
  const before = fixedParts(old)
  for (const [i, [name, value]] of after.entries())
    if (!isSame(value, before[i]![1])) yield field.invalid(fieldPath(name), value, immutable)
}

/** Immutable fields in the order of the errors, with the reason twice, as upstream does. Absent text is empty, absent times are null. */
function fixedParts(event: Event): readonly (readonly [name: string, value: unknown])[] {
  const { reason = '', message = '', source = {}, type = '', action = '' } = event
  return [
    ['involvedObject', shownReference(event.involvedObject)],
    ['reason', reason],
    ['message', message],
    ['source', { Component: source.component ?? '', Host: source.host ?? '' }],
    ['firstTimestamp', event.firstTimestamp ?? null],
    ['lastTimestamp', event.lastTimestamp ?? null],
    ['count', event.count ?? 0],
    ['reason', reason],
    ['type', type],
    ['eventTime', event.eventTime ?? null],
    ['action', action],
    ['related', event.related ? shownReference(event.related) : null],
    ['reportingController', event.reportingComponent],
    ['reportingInstance', event.reportingInstance],
  ]
}

/** With the field names of upstream's messages. */
function shownReference(reference: ObjectReference): object {
  return {
    Kind: reference.kind ?? '',
    Namespace: reference.namespace ?? '',
    Name: reference.name ?? '',
    UID: reference.uid ?? '',
    APIVersion: reference.apiVersion ?? '',
    ResourceVersion: reference.resourceVersion ?? '',
    FieldPath: reference.fieldPath ?? '',
  }
}
