import type { JsonObject } from '../declaration.js'
import { sameJson } from '../json-value.js'
import { ApplyConfigurationError, ApplyConflictError, ApplyRequestError, kindText, objectText } from './errors.js'
import { has, isEmptySet } from './field-set/field-set.js'
import { difference } from './field-set/set-algebra.js'
import { fieldsLastApplied, withLastAppliedAnnotation } from './last-applied.js'
import { managedFieldsOf, readManagers, withManagedFields, writeManagers } from './managed-fields/entries.js'
import { type FieldManager, type FieldManagers, managerKey } from './managed-fields/managers.js'
import { otherManagers, TransitionChanges } from './managed-fields/ownership.js'
import { pruneFields } from './prune.js'
import { ItemError } from './shape/items.js'
import { mergeObjects } from './shape/merge.js'
import { configurationProblems, objectProblems, problemText } from './shape/validation.js'
import { configuredFields } from './shape/value-fields.js'
import { type ApplyTarget, currentManagers, inTargetVersion, managerIdentity, unownedFields } from './target.js'
import { managersAfterUpdate } from './update.js'

/** A server-side apply. */
export interface ApplyRequest {
  /** The stored object; undefined if it does not exist yet. */
  readonly live?: JsonObject | undefined
  /** The applied configuration: the applier owns exactly its fields. */
  readonly configuration: JsonObject
  readonly manager: string
  /** Whether to take over fields that other managers own with other values, instead of failing with a conflict. */
  readonly force: boolean
  /** The current time as `2006-01-02T15:04:05Z`. */
  readonly time: string
}

/**
 * Returns the object after an apply, with its managed fields: `live` with the configured values and without the fields that the applier
 * no longer configures. The caller has to decode it: values are as the client sent them, and null where an object has lost all members.
 *
 * Throws `ApplyConflictError`, `ApplyConfigurationError` or `ApplyRequestError`, and `ManagedFieldsError` if the managed fields of `live`
 * cannot be read.
 */
export function applyConfiguration(target: ApplyTarget, apply: ApplyRequest): JsonObject {
  const owners = readManagers(managedFieldsOf(apply.live) ?? [])
  checkRequest(target, apply.configuration)
  const whole: ApplyRequest = { ...apply, live: apply.live && withManagedFields(apply.live, undefined) }
  const applied = applyToLive(target, whole, owners)
  const object = isKubectl(apply) ? withLastAppliedAnnotation(applied.object, apply.configuration) : applied.object
  return withManagedFields(object, writeManagers(applied.owners))
}

function isKubectl({ manager }: ApplyRequest): boolean {
  return manager === 'kubectl'
}

function checkRequest({ apiVersion, kind }: ApplyTarget, configuration: JsonObject): void {
  if (kindText(configuration) !== kindText({ apiVersion, kind }))
    throw new ApplyRequestError(`invalid object type: ${kindText(configuration)}`)
  if (managedFieldsOf(configuration)) throw new ApplyRequestError('metadata.managedFields must be nil')
}

/** Fails if items of the stored object have no identity. Other writes do not check that. */
function applyToLive(target: ApplyTarget, apply: ApplyRequest, owners: FieldManagers): ApplyResult {
  try {
    return applyAsKubectl(target, apply, managersBeforeApply(target, owners, apply))
  } catch (error) {
    if (!(error instanceof ItemError) || !apply.live) throw error
    const problems = problemText(objectProblems(target.shape, apply.live))
    throw new ApplyConfigurationError(`failed to create typed live object (${objectText(apply.live)}): ${problems}`)
  }
}

/** If the live object has no managers, treats all of its fields as written by one earlier update. */
function managersBeforeApply(target: ApplyTarget, owners: FieldManagers, { live, time }: ApplyRequest): FieldManagers {
  if (owners.size > 0 || !live) return owners
  return managersAfterUpdate(target, owners, { next: live, manager: 'before-first-apply', time })
}

interface ApplyResult {
  readonly object: JsonObject
  readonly owners: FieldManagers
}

/** Takes over, without `force`, the fields that kubectl applied on the client side before and that nobody has changed since. */
function applyAsKubectl(target: ApplyTarget, apply: ApplyRequest, owners: FieldManagers): ApplyResult {
  try {
    return applyOnce(target, apply, owners)
  } catch (error) {
    if (!(error instanceof ApplyConflictError) || !isKubectl(apply)) throw error
    const lastApplied = fieldsLastApplied(inTargetVersion(target, apply.live ?? target.empty))
    if (!lastApplied) throw error
    const others = error.conflicts.filter(({ path }) => !has(lastApplied, path))
    if (others.length > 0) throw new ApplyConflictError(others)
    return applyOnce(target, { ...apply, force: true }, owners)
  }
}

function applyOnce(target: ApplyTarget, apply: ApplyRequest, ownersBefore: FieldManagers): ApplyResult {
  const { configuration, force, time, live = target.empty } = apply
  checkConfiguration(target, configuration)
  const writer = managerIdentity(target, apply.manager, 'Apply')
  const identity = managerKey(writer)
  const present = currentManagers(target, ownersBefore)
  const last = present.get(identity)
  const fields = target.versions.filter(target.apiVersion)(configuredFields(target.shape, configuration))
  const owners = new Map<string, FieldManager>(present).set(identity, { ...writer, fields })
  const merged = inTargetVersion(target, mergeObjects(target.shape, live, configuration))
  const object = pruneFields(merged, last, owners, target.versions)
  const changes = new TransitionChanges({
    before: inTargetVersion(target, live),
    after: object,
    versions: target.versions,
  })
  const rest = otherManagers(owners, changes, identity, force)
  const owned = difference(fields, unownedFields)
  const changed = !sameJson(live, object)
  if (!isEmptySet(owned)) rest.set(identity, { ...writer, fields: owned, time: changed ? time : last?.time })
  return { object: changed ? object : live, owners: rest }
}

function checkConfiguration(target: ApplyTarget, configuration: JsonObject): void {
  const problems = configurationProblems(target.shape, configuration)
  if (problems.length === 0) return
  throw new ApplyConfigurationError(
    `failed to create typed patch object (${objectText(configuration)}): ${problemText(problems)}`,
  )
}
