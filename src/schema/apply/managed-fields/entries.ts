import type { JsonObject, JsonValue } from '../../declaration.js'
import {
  isEmptyObject,
  isList,
  isObject,
  memberOf,
  sameJson,
  stringIn,
  withMember,
  withoutMember,
} from '../../json-value.js'
import { quote } from '../../quote.js'
import { compareText } from '../../text-order.js'
import { FieldsV1Error, readFieldsV1, writeFieldsV1 } from '../field-set/fields-v1.js'
import { type FieldManager, type FieldManagers, type ManagerOperation, managerKey } from './managers.js'

/** A malformed entry of `metadata.managedFields`. */
export class ManagedFieldsError extends Error {}

/** Reads `metadata.managedFields`. */
export function readManagers(entries: readonly JsonValue[]): Map<string, FieldManager> {
  const owners = new Map<string, FieldManager>()
  for (const [index, entry] of entries.entries()) {
    const owner = readManager(isObject(entry) ? entry : {}, index)
    owners.set(managerKey(owner), owner)
  }
  return owners
}

function readManager(entry: JsonObject, index: number): FieldManager {
  const time = stringIn(entry, 'time')
  return {
    manager: stringIn(entry, 'manager'),
    operation: readOperation(entry),
    apiVersion: readApiVersion(entry),
    subresource: stringIn(entry, 'subresource'),
    fields: readFields(entry, index),
    time: time || undefined,
    entry,
  }
}

function readOperation(entry: JsonObject): ManagerOperation {
  const operation = stringIn(entry, 'operation')
  if (operation === 'Apply' || operation === 'Update') return operation
  throw new ManagedFieldsError('operation must be `Apply` or `Update`')
}

function readApiVersion(entry: JsonObject): string {
  const apiVersion = stringIn(entry, 'apiVersion')
  if (apiVersion) return apiVersion
  throw new ManagedFieldsError('apiVersion must not be empty')
}

function readFields(entry: JsonObject, index: number): FieldManager['fields'] {
  const fieldsType = stringIn(entry, 'fieldsType')
  if (!fieldsType) throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`)
  if (fieldsType !== 'FieldsV1')
    throw new ManagedFieldsError(`invalid fieldsType ${quote(fieldsType)} in managed fields entry ${index}`)
  try {
    return readFieldsV1(memberOf(entry, 'fieldsV1'))
  } catch (error) {
    if (!(error instanceof FieldsV1Error)) throw error
    throw new ManagedFieldsError(
      `error decoding versioned set from entry ${index}: error decoding set: ${error.message}`,
    )
  }
}

/** Writes `metadata.managedFields`. Undefined if there are no managers. */
export function writeManagers(owners: FieldManagers): readonly JsonObject[] | undefined {
  if (owners.size === 0) return undefined
  return inOrder([...owners.values()]).map((owner) => owner.entry ?? writeManager(owner))
}

/** Sorts managers, unless they are in order, as they mostly are: the last writer is last. */
function inOrder(owners: FieldManager[]): readonly FieldManager[] {
  for (let i = 1; i < owners.length; i++)
    if (compareManagers(owners[i - 1]!, owners[i]!) > 0) return owners.sort(compareManagers)
  return owners
}

/** Orders appliers first, then by time in seconds. Managers without a time come before those with one. */
function compareManagers(a: FieldManager, b: FieldManager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? epoch, b.time ?? epoch) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  )
}

const epoch = '1970-01-01T00:00:00Z'

function writeManager({ manager, operation, apiVersion, time, fields, subresource }: FieldManager): JsonObject {
  const entry: Record<string, JsonValue> = manager ? { manager, operation, apiVersion } : { operation, apiVersion }
  if (time) entry.time = time
  entry.fieldsType = 'FieldsV1'
  entry.fieldsV1 = writeFieldsV1(fields)
  if (subresource) entry.subresource = subresource
  return entry
}

/** `metadata.managedFields` of an object, or undefined if it has none. */
export function managedFieldsOf(object: JsonObject | undefined): readonly JsonValue[] | undefined {
  const metadata = object && memberOf(object, 'metadata')
  const entries = isObject(metadata) ? memberOf(metadata, 'managedFields') : undefined
  return isList(entries) ? entries : undefined
}

/** Returns a copy of `object` with these managed fields, or without any. */
export function withManagedFields(object: JsonObject, entries: readonly JsonValue[] | undefined): JsonObject {
  const metadata = memberOf(object, 'metadata')
  if (!isObject(metadata)) return entries ? withMember(object, 'metadata', { managedFields: entries }) : object
  const updated = entries ? withMember(metadata, 'managedFields', entries) : withoutMember(metadata, 'managedFields')
  return updated === metadata ? object : { ...object, metadata: updated }
}

/** Whether a client clears the managed fields: with an empty list, or with one empty entry. */
export function clearsManagedFields(entries: readonly JsonValue[]): boolean {
  const [first] = entries
  return entries.length === 0 || (entries.length === 1 && isObject(first) && isEmptyObject(first))
}

/**
 * Returns `next` with the times of the managed fields of `live` if nothing else differs, so that a write without changes is not stored
 * because of its time.
 */
export function withoutTimeChanges(next: JsonObject, live: JsonObject): JsonObject {
  const after = managedFieldsOf(next) ?? []
  const before = managedFieldsOf(live) ?? []
  if (after.length === 0 || after.length !== before.length || !onlyTimesDiffer(after, before)) return next
  const same = sameJson(withManagedFields(next, undefined), withManagedFields(live, undefined))
  return same ? withManagedFields(next, before) : next
}

function onlyTimesDiffer(after: readonly JsonValue[], before: readonly JsonValue[]): boolean {
  const timesDiffer = after.some((entry, index) => !sameTime(entry, before[index]!))
  return timesDiffer && after.every((entry, index) => sameJson(timeless(entry), timeless(before[index]!)))
}

function sameTime(a: JsonValue, b: JsonValue): boolean {
  return isObject(a) && isObject(b) && memberOf(a, 'time') === memberOf(b, 'time')
}

function timeless(entry: JsonValue): JsonValue {
  return isObject(entry) ? withoutMember(entry, 'time') : entry
}
