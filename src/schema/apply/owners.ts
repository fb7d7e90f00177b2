import type { JsonObject } from '../declaration.js'
import type { FieldSet } from './field-set.js'
import { jsonText } from './text.js'

export type Operation = 'Apply' | 'Update'

/** Who wrote, and how. */
export interface Writer {
  /** The name of the client, as in `kubectl`. */
  readonly manager: string
  readonly operation: Operation
  readonly apiVersion: string
  /** `''` for the object itself. */
  readonly subresource: string
}

/** A writer with the fields that it owns. */
export interface Owner extends Writer {
  readonly fields: FieldSet
  /** When it last changed something, `2006-01-02T15:04:05Z`; undefined if it never has. */
  readonly time?: string | undefined
  /** The entry that this owner was read from, for as long as it says the same. */
  readonly entry?: JsonObject | undefined
}

/** All owners of an object's fields, by identity. */
export type Owners = ReadonlyMap<string, Owner>

/**
 * What makes two writers the same. Who applies is the same whatever version it applies; who updates owns the fields of each
 * version apart. The text is also what owners are sorted by where times are equal, and how messages order them.
 */
export function identityOf({ manager, operation, apiVersion, subresource }: Writer): string {
  const version = operation === 'Update' ? `,"apiVersion":${jsonText(apiVersion)}` : ''
  const within = subresource ? `,"subresource":${jsonText(subresource)}` : ''
  return `{"manager":${jsonText(manager)},"operation":"${operation}"${version}${within}}`
}

/** Who owns these fields, and has last changed something at this time. */
export function ownerOf(writer: Writer, fields: FieldSet, time?: string): Owner {
  const { manager, operation, apiVersion, subresource } = writer
  return { manager, operation, apiVersion, subresource, fields, time, entry: undefined }
}

/** The same owner with other fields. */
export function ownerWith(owner: Owner, fields: FieldSet): Owner {
  return fields === owner.fields ? owner : ownerOf(owner, fields, owner.time)
}
