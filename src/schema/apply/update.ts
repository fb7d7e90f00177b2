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
  /** The stored object; undefined for a create. */
  readonly live?: JsonObject | undefined
  /** The new object. Its managed fields replace those of `live`, unless it is written through a subresource. */
  readonly next: JsonObject
  readonly manager: string
  /** The current time as `2006-01-02T15:04:05Z`. */
  readonly time: string
}

/**
 * Returns `next` with its managed fields after a plain write: the writer becomes the only owner of the fields that it changed. Never
 * throws: malformed managed fields count as absent, and for an object with items without an identity the managed fields do not change.
 */
export function updateManagedFields(target: ApplyTarget, update: UpdateRequest): JsonObject {
  const { live, next, manager, time } = update
  const owners = initialManagers(target, live, next)
  const after = withManagedFields(next, undefined)
  if (owners.size === 0 && isStored(live)) return after // cleared by a client: not tracked until the next apply
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

/** The managers before the write. Clients send back the managed fields that they read; omitting them does not remove them. */
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

/** The managers after the change from `live` to `next`, which has no managed fields. */
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

/** The writer keeps its fields except removed ones, and gets the changed ones. Its time is that of its last change. */
function managerAfterUpdate(own: FieldManager, changes: TransitionChanges, time: string): FieldManager {
  const { changed, removed } = changes.in(own.apiVersion) ?? noChanges
  const made = ownable(changed)
  const left = difference(own.fields, removed)
  return isEmptySet(made) ? managerWithFields(own, left) : fieldManager(own, union(left, made), time)
}

const ownables = new WeakMap<FieldSet, FieldSet>()

/** The changed fields that can have owners. Cached, because objects from the same template have the same set. */
function ownable(changed: FieldSet): FieldSet {
  const known = ownables.get(changed)
  if (known) return known
  const made = difference(changed, unownedFields)
  ownables.set(changed, made)
  return made
}

const noChanges: FieldChanges = { changed: emptySet, removed: emptySet }

/** Limits how many updaters an object remembers. Beyond this number the oldest ones are merged. */
const maximumUpdaters = 10

const ancient = 'ancient-changes'

/** Merges the oldest updaters of each version under one name until the limit is met. */
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

/** Adds the fields of the second manager to the bucket of its version. The first manager becomes that bucket if there is none. */
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
