import type { JsonObject } from '../../declaration.js'
import { ApplyConflictError, conflictsOf } from '../errors.js'
import { type FieldSet, isEmptySet } from '../field-set/field-set.js'
import type { FieldFilter } from '../field-set/filter.js'
import { difference, intersection } from '../field-set/set-algebra.js'
import { compareObjects, type FieldChanges } from '../shape/compare.js'
import { inVersion, type Versioned, type Versions } from '../versions.js'
import { type FieldManager, type FieldManagers, managerWithFields } from './managers.js'

/** The change of an object from one state to another. */
export interface Transition {
  readonly before: Versioned
  readonly after: JsonObject
  readonly versions: Versions
}

/** The changed fields of an object in each version in which it has managers. */
export class TransitionChanges {
  readonly #transition: Transition
  readonly #byVersion = new Map<string, FieldChanges | undefined>()

  constructor(transition: Transition) {
    this.#transition = transition
  }

  /** Undefined if that version does not exist. */
  in(apiVersion: string): FieldChanges | undefined {
    if (!this.#byVersion.has(apiVersion)) this.#byVersion.set(apiVersion, this.#compare(apiVersion))
    return this.#byVersion.get(apiVersion)
  }

  #compare(apiVersion: string): FieldChanges | undefined {
    const { before, after, versions } = this.#transition
    const left = inVersion(versions, before, apiVersion)
    const right = inVersion(versions, { ...before, object: after }, apiVersion)
    return left && right && filtered(compareObjects(left.shape, left.object, right.object), versions.filter(apiVersion))
  }
}

function filtered({ changed, removed }: FieldChanges, filter: FieldFilter): FieldChanges {
  return { changed: filter(changed), removed: filter(removed) }
}

/**
 * The managers other than `self` after the transition: they lose the fields that were changed or removed. Without `force`, changing a
 * field that they own is a conflict. Managers of versions that no longer exist, or without any fields left, are dropped.
 */
export function otherManagers(
  owners: FieldManagers,
  changes: TransitionChanges,
  self: string,
  force: boolean,
): Map<string, FieldManager> {
  const rest = new Map<string, FieldManager>()
  let contested: Map<FieldManager, FieldSet> | undefined
  for (const [identity, owner] of owners) {
    if (identity === self) continue
    const change = changes.in(owner.apiVersion)
    if (!change) continue
    const lost = intersection(owner.fields, change.changed)
    if (!isEmptySet(lost)) contested = (contested ?? new Map()).set(owner, lost)
    const left = difference(difference(owner.fields, lost), change.removed)
    if (!isEmptySet(left)) rest.set(identity, managerWithFields(owner, left))
  }
  if (!force && contested) throw new ApplyConflictError(conflictsOf(contested))
  return rest
}
