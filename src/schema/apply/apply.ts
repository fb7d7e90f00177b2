import type { JsonObject } from '../declaration.js'
import { sameJson } from '../json-value.js'
import { ApplyConflictError } from './conflicts.js'
import { managedFieldsOf, readOwners, withManagedFields, writeOwners } from './entries.js'
import { ApplyRequestError, ConfigurationError, kindText, objectText } from './errors.js'
import { has, isEmpty } from './field-set.js'
import { ItemError } from './items.js'
import { fieldsLastApplied, withLastApplied } from './last-applied.js'
import { mergeObjects } from './merge.js'
import { identityOf, type Owner, type Owners } from './owners.js'
import { otherOwners, TransitionChanges } from './ownership.js'
import { prune } from './prune.js'
import { difference } from './set-algebra.js'
import { presentOwners, type Target, unownedFields, versioned, writerOf } from './target.js'
import { updatedOwners } from './update.js'
import { configurationProblems, objectProblems, problemText } from './validate.js'
import { configuredFields } from './value-set.js'

/** A server-side apply. */
export interface Apply {
  /** The object as it is stored; undefined if there is none yet. */
  readonly live?: JsonObject | undefined
  /** The fields that the applier wants to have, and no others. */
  readonly configuration: JsonObject
  readonly manager: string
  /** Takes over what others own. */
  readonly force: boolean
  /** Now, as `2006-01-02T15:04:05Z`. */
  readonly time: string
}

/**
 * The object after an apply, with its managed fields: `live` with what is configured and without what the applier has given up.
 * It still has to be decoded: values stand as they were given, null where something has lost all its parts.
 *
 * Throws `ApplyConflictError`, `ConfigurationError` or `ApplyRequestError`, and `ManagedFieldsError` if those of `live` cannot be
 * read.
 */
export function applyConfiguration(target: Target, apply: Apply): JsonObject {
  const owners = readOwners(managedFieldsOf(apply.live) ?? [])
  checkRequest(target, apply.configuration)
  const whole: Apply = { ...apply, live: apply.live && withManagedFields(apply.live, undefined) }
  const applied = applyToLive(target, whole, owners)
  const object = isKubectl(apply) ? withLastApplied(applied.object, apply.configuration) : applied.object
  return withManagedFields(object, writeOwners(applied.owners))
}

function isKubectl({ manager }: Apply): boolean {
  return manager === 'kubectl'
}

function checkRequest({ apiVersion, kind }: Target, configuration: JsonObject): void {
  if (kindText(configuration) !== kindText({ apiVersion, kind }))
    throw new ApplyRequestError(`invalid object type: ${kindText(configuration)}`)
  if (managedFieldsOf(configuration)) throw new ApplyRequestError('metadata.managedFields must be nil')
}

/** Objects were stored without a look at whether their items can be told apart: it is found out here. */
function applyToLive(target: Target, apply: Apply, owners: Owners): Applied {
  try {
    return applyAsKubectl(target, apply, ownersBeforeApply(target, owners, apply))
  } catch (error) {
    if (!(error instanceof ItemError) || !apply.live) throw error
    const problems = problemText(objectProblems(target.shape, apply.live))
    throw new ConfigurationError(`failed to create typed live object (${objectText(apply.live)}): ${problems}`)
  }
}

/** Whatever an object has that nobody owns yet is taken as one update that came before. */
function ownersBeforeApply(target: Target, owners: Owners, { live, time }: Apply): Owners {
  if (owners.size > 0 || !live) return owners
  return updatedOwners(target, owners, { next: live, manager: 'before-first-apply', time })
}

interface Applied {
  readonly object: JsonObject
  readonly owners: Owners
}

/** What kubectl applied by itself before, and nobody has changed since, it takes over without being told to force it. */
function applyAsKubectl(target: Target, apply: Apply, owners: Owners): Applied {
  try {
    return applyOnce(target, apply, owners)
  } catch (error) {
    if (!(error instanceof ApplyConflictError) || !isKubectl(apply)) throw error
    const lastApplied = fieldsLastApplied(versioned(target, apply.live ?? target.empty))
    if (!lastApplied) throw error
    const others = error.conflicts.filter(({ path }) => !has(lastApplied, path))
    if (others.length > 0) throw new ApplyConflictError(others)
    return applyOnce(target, { ...apply, force: true }, owners)
  }
}

function applyOnce(target: Target, apply: Apply, ownersBefore: Owners): Applied {
  const { configuration, force, time, live = target.empty } = apply
  checkConfiguration(target, configuration)
  const writer = writerOf(target, apply.manager, 'Apply')
  const identity = identityOf(writer)
  const present = presentOwners(target, ownersBefore)
  const last = present.get(identity)
  const fields = target.versions.filter(target.apiVersion)(configuredFields(target.shape, configuration))
  const owners = new Map<string, Owner>(present).set(identity, { ...writer, fields })
  const merged = versioned(target, mergeObjects(target.shape, live, configuration))
  const object = prune(merged, last, owners, target.versions)
  const changes = new TransitionChanges({ before: versioned(target, live), after: object, versions: target.versions })
  const rest = otherOwners(owners, changes, identity, force)
  const owned = difference(fields, unownedFields)
  const changed = !sameJson(live, object)
  if (!isEmpty(owned)) rest.set(identity, { ...writer, fields: owned, time: changed ? time : last?.time })
  return { object: changed ? object : live, owners: rest }
}

function checkConfiguration(target: Target, configuration: JsonObject): void {
  const problems = configurationProblems(target.shape, configuration)
  if (problems.length === 0) return
  throw new ConfigurationError(
    `failed to create typed patch object (${objectText(configuration)}): ${problemText(problems)}`,
  )
}
