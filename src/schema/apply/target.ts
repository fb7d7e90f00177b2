import type { JsonObject } from '../declaration.js'
import type { ObjectType } from '../model.js'
import { namePath, setOf } from './field-set/field-set.js'
import {
  type FieldManager,
  type FieldManagers,
  type ManagerIdentity,
  type ManagerOperation,
  managerWithFields,
} from './managed-fields/managers.js'
import type { StructShape } from './shape/shape.js'
import { emptyObject, shapeOf } from './shape/shape-of.js'
import { fitToShape } from './shape/shaped-sets.js'
import { singleVersion, type Versioned, type Versions } from './versions.js'

/** The target of writes: a kind in one version, as a whole or through a subresource. */
export interface ApplyTarget {
  readonly apiVersion: string
  readonly kind: string
  readonly shape: StructShape
  /** `''` for the object itself. */
  readonly subresource: string
  readonly versions: Versions
  /** The object without any configured field, with which new objects are compared. */
  readonly empty: JsonObject
}

export interface ApplyTargetOptions {
  readonly subresource?: string
  /** By default there is one version, and all of its fields are tracked. */
  readonly versions?: Versions
}

/** The target for a declared kind. Create it once per endpoint, not once per write. */
export function applyTarget(
  type: ObjectType,
  { subresource = '', versions = singleVersion() }: ApplyTargetOptions = {},
): ApplyTarget {
  if (!type.kind) throw new Error(`${type.name} is not a kind`)
  const { apiVersion, kind } = type.kind
  const shape = shapeOf(type)
  return { apiVersion, kind, shape, subresource, versions, empty: { ...emptyObject(shape), apiVersion, kind } }
}

/** Fields without owners: the identity of an object, and metadata that the server sets. */
export const unownedFields = setOf(
  namePath('apiVersion'),
  namePath('kind'),
  namePath('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => namePath('metadata', name)),
)

export function inTargetVersion({ apiVersion, shape }: ApplyTarget, object: JsonObject): Versioned {
  return { apiVersion, shape, object }
}

/** The identity of a manager that writes to a target. */
export function managerIdentity(
  { apiVersion, subresource }: ApplyTarget,
  manager: string,
  operation: ManagerOperation,
): ManagerIdentity {
  return { manager: manager || 'unknown', operation, apiVersion, subresource }
}

/** Adjusts the fields of each manager to the current shapes. Drops managers of versions that no longer exist. */
export function currentManagers({ apiVersion, shape, versions }: ApplyTarget, owners: FieldManagers): FieldManagers {
  let present: Map<string, FieldManager> | undefined
  for (const [identity, owner] of owners) {
    const ownShape = owner.apiVersion === apiVersion ? shape : versions.shape(owner.apiVersion)
    const fitted = ownShape && managerWithFields(owner, fitToShape(ownShape, owner.fields))
    if (fitted === owner) continue
    present ??= new Map(owners)
    if (fitted) present.set(identity, fitted)
    else present.delete(identity)
  }
  return present ?? owners
}
