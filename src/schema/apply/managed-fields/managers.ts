import type { JsonObject } from '../../declaration.js'
import { canonicalJson } from '../canonical-json.js'
import type { FieldSet } from '../field-set/field-set.js'

export type ManagerOperation = 'Apply' | 'Update'

/** Identifies a field manager. */
export interface ManagerIdentity {
  /** The name of the client, such as `kubectl`. */
  readonly manager: string
  readonly operation: ManagerOperation
  readonly apiVersion: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** A field manager with the fields that it owns. */
export interface FieldManager extends ManagerIdentity {
  readonly fields: FieldSet
  /** The time of its last change as `2006-01-02T15:04:05Z`; undefined if it never changed anything. */
  readonly time?: string | undefined
  /** The entry from which this manager was read, while it is unchanged. */
  readonly entry?: JsonObject | undefined
}

/** All field managers of an object by `managerKey`. */
export type FieldManagers = ReadonlyMap<string, FieldManager>

/**
 * Identifies a manager. An applier is the same manager in every version; an updater is a different one for each version. The key also
 * orders managers with equal times, and managers in messages.
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const version = operation === 'Update' ? `,"apiVersion":${canonicalJson(apiVersion)}` : ''
  const within = subresource ? `,"subresource":${canonicalJson(subresource)}` : ''
  return `{"manager":${canonicalJson(manager)},"operation":"${operation}"${version}${within}}`
}

/** A manager that owns `fields`, with the time of its last change. */
export function fieldManager(writer: ManagerIdentity, fields: FieldSet, time?: string): FieldManager {
  const { manager, operation, apiVersion, subresource } = writer
  return { manager, operation, apiVersion, subresource, fields, time, entry: undefined }
}

/** The same manager with other fields. */
export function managerWithFields(owner: FieldManager, fields: FieldSet): FieldManager {
  return fields === owner.fields ? owner : fieldManager(owner, fields, owner.time)
}

/** The maximum length of a manager's name in bytes of UTF-8. */
const maximumBytes = 128

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** The manager name of a request: the one that it sends, or the first part of its user agent (`kubectl` for `kubectl/v1.36`). */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) return fieldManager
  if (userAgent !== lastAgent) {
    lastName = nameOfAgent(userAgent)
    lastAgent = userAgent
  }
  return lastName
}

/** Caches the last user agent, because most clients write more than once. */
let lastAgent = ''
let lastName = ''

function nameOfAgent(userAgent: string): string {
  let name = ''
  for (const character of userAgent.split('/', 1)[0]!) {
    if (!printable.test(character)) continue
    if (Buffer.byteLength(name + character) > maximumBytes) break
    name += character
  }
  return name
}
