import type { JsonObject } from '../../declaration.js'
import { canonicalJson } from '../canonical-json.js'
import type { FieldSet } from '../field-set/field-set.js'

export type ManagerOperation = 'Apply' | 'Update'

/** Who wrote, and how. */
export interface ManagerIdentity {
  /** The name of the client, as in `kubectl`. */
  readonly manager: string
  readonly operation: ManagerOperation
  readonly apiVersion: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** A writer with the fields that it owns. */
export interface FieldManager extends ManagerIdentity {
  readonly fields: FieldSet
  /** When it last changed something, `2006-01-02T15:04:05Z`; undefined if it never has. */
  readonly time?: string | undefined
  /** The entry that this owner was read from, for as long as it says the same. */
  readonly entry?: JsonObject | undefined
}

/** All owners of an object's fields, by identity. */
export type FieldManagers = ReadonlyMap<string, FieldManager>

/**
 * What makes two writers the same. Who applies is the same whatever version it applies; who updates owns the fields of each
 * version apart. The text is also what owners are sorted by where times are equal, and how messages order them.
 */
export function managerKey({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const version = operation === 'Update' ? `,"apiVersion":${canonicalJson(apiVersion)}` : ''
  const within = subresource ? `,"subresource":${canonicalJson(subresource)}` : ''
  return `{"manager":${canonicalJson(manager)},"operation":"${operation}"${version}${within}}`
}

/** Who owns these fields, and has last changed something at this time. */
export function fieldManager(writer: ManagerIdentity, fields: FieldSet, time?: string): FieldManager {
  const { manager, operation, apiVersion, subresource } = writer
  return { manager, operation, apiVersion, subresource, fields, time, entry: undefined }
}

/** The same owner with other fields. */
export function managerWithFields(owner: FieldManager, fields: FieldSet): FieldManager {
  return fields === owner.fields ? owner : fieldManager(owner, fields, owner.time)
}

/** As long as a manager's name may be, in bytes of UTF-8. */
const maximumBytes = 128

const printable = /[\p{L}\p{M}\p{N}\p{P}\p{S} ]/u

/** Under which name a request owns fields: the one it gives, or the first part of its user agent (`kubectl/v1.36` is `kubectl`). */
export function managerName(fieldManager: string | undefined, userAgent: string): string {
  if (fieldManager) return fieldManager
  if (userAgent !== lastAgent) {
    lastName = nameOfAgent(userAgent)
    lastAgent = userAgent
  }
  return lastName
}

/** One client mostly writes more than once. */
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
