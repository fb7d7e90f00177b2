import type { JsonObject } from '../declaration.js'
import { emptySet, type FieldSet, isEmptySet } from './field-set/field-set.js'
import { contains, difference, intersection, union } from './field-set/set-algebra.js'
import type { FieldManager, FieldManagers } from './managed-fields/managers.js'
import { removeFields } from './shape/remove.js'
import { withNamedFields } from './shape/shaped-sets.js'
import { configuredFields } from './shape/value-fields.js'
import { inVersion, type Versioned, type Versions } from './versions.js'

/**
 * Removes from `merged` the fields and items that the applier has given up: those that it owned before (`last`) and that no manager owns
 * now. Fields that never had an owner stay.
 */
export function pruneFields(
  merged: Versioned,
  last: FieldManager | undefined,
  owners: FieldManagers,
  versions: Versions,
): JsonObject {
  if (!last || isEmptySet(last.fields)) return merged.object
  const before = inVersion(versions, merged, last.apiVersion)
  const owned = ownedByVersion(owners, last.apiVersion)
  if (!before || contains(owned.get(last.apiVersion)!, last.fields)) return merged.object
  const given = withNamedFields(before.shape, last.fields)
  const kept = keepOwned(before, removeFields(before.shape, before.object, given), owned, versions)
  const gone = difference(named(before), named({ ...before, object: kept }))
  const pruned = removeFields(before.shape, before.object, intersection(gone, given))
  return inVersion(versions, { ...before, object: pruned }, merged.apiVersion)?.object ?? merged.object
}

/** All fields of an object, with the declared fields that lead to them. */
function named({ shape, object }: Versioned): FieldSet {
  return withNamedFields(shape, configuredFields(shape, object))
}

/**
 * Restores from `merged` every owned field that `pruned` lacks. Fields that are owned in the current version come first, because the
 * conversion to other versions may need them.
 */
function keepOwned(merged: Versioned, pruned: JsonObject, owned: OwnedByVersion, versions: Versions): JsonObject {
  let kept: Versioned = { ...merged, object: pruned }
  for (const [apiVersion, fields] of owned) {
    const whole = inVersion(versions, merged, apiVersion)
    const part = inVersion(versions, kept, apiVersion)
    if (whole && part) kept = { ...whole, object: restoreFields(whole, part.object, fields) }
  }
  return inVersion(versions, kept, merged.apiVersion)?.object ?? merged.object
}

function restoreFields(whole: Versioned, part: JsonObject, owned: FieldSet): JsonObject {
  const wanted = union(named({ ...whole, object: part }), withNamedFields(whole.shape, owned))
  return removeFields(whole.shape, whole.object, difference(named(whole), wanted))
}

type OwnedByVersion = ReadonlyMap<string, FieldSet>

function ownedByVersion(owners: FieldManagers, first: string): OwnedByVersion {
  const owned = new Map<string, FieldSet>([[first, emptySet]])
  for (const { apiVersion, fields } of owners.values())
    owned.set(apiVersion, union(owned.get(apiVersion) ?? emptySet, fields))
  return owned
}
