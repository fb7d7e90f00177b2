import type { JsonObject } from '../declaration.js'
import type { ObjectType } from '../model.js'
import { fieldPath, setOf } from './field-set.js'
import { fitToShape } from './fit.js'
import { type Operation, type Owner, type Owners, ownerWith, type Writer } from './owners.js'
import type { StructShape } from './shape.js'
import { emptyObject, shapeOf } from './shape-of.js'
import { singleVersion, type Versioned, type Versions } from './versions.js'

/** What is written: objects of a kind, in a version, as a whole or through a subresource. */
export interface Target {
  readonly apiVersion: string
  readonly kind: string
  readonly shape: StructShape
  /** `''` for the object itself. */
  readonly subresource: string
  readonly versions: Versions
  /** An object of which nothing was given. */
  readonly empty: JsonObject
}

export interface TargetOptions {
  readonly subresource?: string
  /** One version, of which everything is tracked, unless given. */
  readonly versions?: Versions
}

/** The target for a declared kind. Made once for each endpoint, not for each write. */
export function targetOf(
  type: ObjectType,
  { subresource = '', versions = singleVersion() }: TargetOptions = {},
): Target {
  if (!type.kind) throw new Error(`${type.name} is not a kind`)
  const { apiVersion, kind } = type.kind
  const shape = shapeOf(type)
  return { apiVersion, kind, shape, subresource, versions, empty: { ...emptyObject(shape), apiVersion, kind } }
}

/** Fields that nobody owns: who an object is, and what the server keeps about it. */
export const unownedFields = setOf(
  fieldPath('apiVersion'),
  fieldPath('kind'),
  fieldPath('metadata'),
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
  ].map((name) => fieldPath('metadata', name)),
)

export function versioned({ apiVersion, shape }: Target, object: JsonObject): Versioned {
  return { apiVersion, shape, object }
}

/** Who writes to a target under the name `manager`. */
export function writerOf({ apiVersion, subresource }: Target, manager: string, operation: Operation): Writer {
  return { manager: manager || 'unknown', operation, apiVersion, subresource }
}

/** The owners with fields as they are under the present shapes; those of versions that no longer exist are left out. */
export function presentOwners({ apiVersion, shape, versions }: Target, owners: Owners): Owners {
  let present: Map<string, Owner> | undefined
  for (const [identity, owner] of owners) {
    const ownShape = owner.apiVersion === apiVersion ? shape : versions.shape(owner.apiVersion)
    const fitted = ownShape && ownerWith(owner, fitToShape(ownShape, owner.fields))
    if (fitted === owner) continue
    present ??= new Map(owners)
    if (fitted) present.set(identity, fitted)
    else present.delete(identity)
  }
  return present ?? owners
}
