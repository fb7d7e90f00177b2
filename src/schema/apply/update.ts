import type { JsonObject, JsonValue } from '../declaration.js'
import { objectIn, stringIn } from '../json-value.js'
import { compareText } from '../text-order.js'
import { emptySet, type FieldSet, isEmptySet } from './field-set/field-set.js'
import { difference, union } from './field-set/set-algebra.js'
import {
  clearsManagedFields,
  ManagedFieldsError,
  managedFieldsOf,
  readManagers,
  withManagedFields,
  writeManagers,
} from './managed-fields/entries.js'
import {
  type FieldManager,
  type FieldManagers,
  fieldManager,
  managerKey,
  managerWithFields,
} from './managed-fields/managers.js'
import { otherManagers, TransitionChanges } from './managed-fields/ownership.js'
import type { FieldChanges } from './shape/compare.js'
import { ItemError } from './shape/items.js'
import { type ApplyTarget, currentManagers, inTargetVersion, managerIdentity, unownedFields } from './target.js'

/** A plain write: a create, an update, or a patch other than apply. */
export interface UpdateRequest {
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
export function updateManagedFields(target: ApplyTarget, update: UpdateRequest): JsonObject {
  const { live, next, manager, time } = update
  const owners = initialManagers(target, live, next)
  const after = withManagedFields(next, undefined)
  if (owners.size === 0 && isStored(live)) return after // someone has cleared them: not tracked until the next apply
  try {
    const updated = managersAfterUpdate(target, owners, { live, next: after, manager, time })
    return withManagedFields(after, writeManagers(capUpdaters(updated)))
  } catch (error) {
    if (!(error instanceof ItemError)) throw error
    return withManagedFields(after, managedFieldsOf(live))
  }
}

function isStored(live: JsonObject | undefined): boolean {
  return live !== undefined && stringIn(objectIn(live, 'metadata'), 'uid') !== ''
}

/** Clients send back the managed fields that they read. Who leaves them out does not mean to take them away. */
function initialManagers({ subresource }: ApplyTarget, live: JsonObject | undefined, next: JsonObject): FieldManagers {
  const given = subresource ? undefined : managedFieldsOf(next)
  if (given && clearsManagedFields(given)) return noManagers
  const owners = readableManagers(given)
  return owners.size > 0 ? owners : readableManagers(managedFieldsOf(live))
}

const noManagers: FieldManagers = new Map()

function readableManagers(entries: readonly JsonValue[] | undefined): FieldManagers {
  if (!entries) return noManagers
  try {
    return readManagers(entries)
  } catch (error) {
    if (error instanceof ManagedFieldsError) return noManagers
    throw error
  }
}

/** The owners after `live` has become `next`, which carries no managed fields. */
export function managersAfterUpdate(
  target: ApplyTarget,
  owners: FieldManagers,
  { live, next, manager, time }: UpdateRequest,
): Map<string, FieldManager> {
  const before = live ? withManagedFields(live, undefined) : target.empty
  const changes = new TransitionChanges({
    before: inTargetVersion(target, before),
    after: next,
    versions: target.versions,
  })
  const present = currentManagers(target, owners)
  const writer = managerIdentity(target, manager, 'Update')
  const identity = managerKey(writer)
  const updated = otherManagers(present, changes, identity, true)
  const own = managerAfterUpdate(present.get(identity) ?? fieldManager(writer, emptySet), changes, time)
  return isEmptySet(own.fields) ? updated : updated.set(identity, own)
}

/** The writer loses what is gone and owns what it has made, also what it owned before; its time is that of its last change. */
function managerAfterUpdate(own: FieldManager, changes: TransitionChanges, time: string): FieldManager {
  const { changed, removed } = changes.in(own.apiVersion) ?? noChanges
  const made = ownable(changed)
  const left = difference(own.fields, removed)
  return isEmptySet(made) ? managerWithFields(own, left) : fieldManager(own, union(left, made), time)
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

const noChanges: FieldChanges = { changed: emptySet, removed: emptySet }

/** Every client that ever updated an object would be remembered with it: beyond this many, the oldest are put together. */
const maximumUpdaters = 10

const ancient = 'ancient-changes'

/** Puts the fields of the longest silent updaters, version by version, under one name until there are few enough of them. */
function capUpdaters(owners: FieldManagers): FieldManagers {
  if (owners.size <= maximumUpdaters) return owners
  const updaters = [...owners].filter(([, { operation }]) => operation === 'Update')
  let surplus = updaters.length - maximumUpdaters
  if (surplus <= 0) return owners
  const capped = new Map(owners)
  const oldest = new Map<string, string>()
  for (const [identity, owner] of updaters.sort(compareAge)) {
    if (surplus <= 0) break
    const first = oldest.get(owner.apiVersion)
    if (first === undefined) oldest.set(owner.apiVersion, identity)
    else if (moveToBucket(capped, first, identity)) surplus--
  }
  return capped
}

function compareAge([idA, a]: [string, FieldManager], [idB, b]: [string, FieldManager]): number {
  return compareText(a.time ?? '', b.time ?? '') || compareText(idA, idB)
}

/** Adds the fields of the second to those of the bucket of its version, into which the first goes if there is none yet. */
function moveToBucket(owners: Map<string, FieldManager>, first: string, second: string): boolean {
  const owner = owners.get(second)!
  const bucket: FieldManager = { ...owner, manager: ancient, subresource: '', entry: undefined }
  const identity = managerKey(bucket)
  if (second === identity) return false
  const before = owners.get(identity) ?? owners.get(first)!
  if (!owners.has(identity)) owners.delete(first)
  owners.delete(second)
  owners.set(identity, { ...bucket, fields: union(owner.fields, before.fields) })
  return true
}
