import type { JsonObject, JsonValue } from '../declaration.js'
import { objectIn, stringIn } from '../json-value.js'
import { capUpdaters } from './cap.js'
import type { Changes } from './compare.js'
import {
  clearsManagedFields,
  ManagedFieldsError,
  managedFieldsOf,
  readOwners,
  withManagedFields,
  writeOwners,
} from './entries.js'
import { emptySet, type FieldSet, isEmpty } from './field-set.js'
import { ItemError } from './items.js'
import { identityOf, type Owner, type Owners, ownerOf, ownerWith } from './owners.js'
import { otherOwners, TransitionChanges } from './ownership.js'
import { difference, union } from './set-algebra.js'
import { presentOwners, type Target, unownedFields, versioned, writerOf } from './target.js'

/** A plain write: a create, an update, or a patch other than apply. */
export interface Update {
  /** The object as it is stored; undefined for a create. */
  readonly live?: JsonObject | undefined
  /** The object as it is to be. Its managed fields are those to start from, unless it is written through a subresource. */
  readonly next: JsonObject
  readonly manager: string
  /** Now, as `2006-01-02T15:04:05Z`. */
  readonly time: string
}

/**
 * `next` with its managed fields after a plain write: the writer owns what it has changed, and nobody else does any more.
 * Never refuses: managed fields that cannot be read count as not given, and where an object has items that cannot be told apart,
 * the managed fields stay as they were.
 */
export function updateManagedFields(target: Target, update: Update): JsonObject {
  const { live, next, manager, time } = update
  const owners = ownersToStartFrom(target, live, next)
  const after = withManagedFields(next, undefined)
  if (owners.size === 0 && isStored(live)) return after // someone has cleared them: not tracked until the next apply
  try {
    const updated = updatedOwners(target, owners, { live, next: after, manager, time })
    return withManagedFields(after, writeOwners(capUpdaters(updated)))
  } catch (error) {
    if (!(error instanceof ItemError)) throw error
    return withManagedFields(after, managedFieldsOf(live))
  }
}

function isStored(live: JsonObject | undefined): boolean {
  return live !== undefined && stringIn(objectIn(live, 'metadata'), 'uid') !== ''
}

/** Clients send back the managed fields that they read. Who leaves them out does not mean to take them away. */
function ownersToStartFrom({ subresource }: Target, live: JsonObject | undefined, next: JsonObject): Owners {
  const given = subresource ? undefined : managedFieldsOf(next)
  if (given && clearsManagedFields(given)) return nobody
  const owners = readableOwners(given)
  return owners.size > 0 ? owners : readableOwners(managedFieldsOf(live))
}

const nobody: Owners = new Map()

function readableOwners(entries: readonly JsonValue[] | undefined): Owners {
  if (!entries) return nobody
  try {
    return readOwners(entries)
  } catch (error) {
    if (error instanceof ManagedFieldsError) return nobody
    throw error
  }
}

/** The owners after `live` has become `next`, which carries no managed fields. */
export function updatedOwners(
  target: Target,
  owners: Owners,
  { live, next, manager, time }: Update,
): Map<string, Owner> {
  const before = live ? withManagedFields(live, undefined) : target.empty
  const changes = new TransitionChanges({ before: versioned(target, before), after: next, versions: target.versions })
  const present = presentOwners(target, owners)
  const writer = writerOf(target, manager, 'Update')
  const identity = identityOf(writer)
  const updated = otherOwners(present, changes, identity, true)
  const own = ownerAfterUpdate(present.get(identity) ?? ownerOf(writer, emptySet), changes, time)
  return isEmpty(own.fields) ? updated : updated.set(identity, own)
}

/** The writer loses what is gone and owns what it has made, also what it owned before; its time is that of its last change. */
function ownerAfterUpdate(own: Owner, changes: TransitionChanges, time: string): Owner {
  const { changed, removed } = changes.in(own.apiVersion) ?? noChanges
  const made = ownable(changed)
  const left = difference(own.fields, removed)
  return isEmpty(made) ? ownerWith(own, left) : ownerOf(own, union(left, made), time)
}

const ownables = new WeakMap<FieldSet, FieldSet>()

/** Of what was changed, the fields that somebody owns. Those who create alike own alike: the set is made once for all of them. */
function ownable(changed: FieldSet): FieldSet {
  const known = ownables.get(changed)
  if (known) return known
  const made = difference(changed, unownedFields)
  ownables.set(changed, made)
  return made
}

const noChanges: Changes = { changed: emptySet, removed: emptySet }
