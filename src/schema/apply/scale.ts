import type { JsonObject, JsonValue } from '../declaration.js'
import { type ElementPath, has, isEmptySet, namePath, setOf } from './field-set/field-set.js'
import { difference } from './field-set/set-algebra.js'
import { readManagers, writeManagers } from './managed-fields/entries.js'
import { type FieldManager, managerWithFields } from './managed-fields/managers.js'

/**
 * A scale is a view of another object: the owner of its `.spec.replicas` owns the corresponding field of the object, and vice versa.
 */
export interface ScaleMapping {
  /** The version of the object whose scale subresource is written. */
  readonly apiVersion: string
  /** The path of the replicas by version; undefined for a version without a scale. */
  readonly replicas: ReadonlyMap<string, ElementPath | undefined>
}

const scaleVersion = 'autoscaling/v1'
const replicasInScale = namePath('spec', 'replicas')

/** The managed fields of an object's scale. */
export function scaleManagedFields(
  parent: readonly JsonValue[],
  mapping: ScaleMapping,
): readonly JsonObject[] | undefined {
  const owners = new Map<string, FieldManager>()
  for (const [identity, owner] of readManagers(parent))
    if (ownsReplicas(owner, mapping)) owners.set(identity, inVersion(owner, scaleVersion, replicasInScale))
  return writeManagers(owners)
}

function inVersion(owner: FieldManager, apiVersion: string, path: ElementPath): FieldManager {
  return { ...owner, apiVersion, fields: setOf(path), entry: undefined }
}

/**
 * The managed fields of an object after a write to its scale. Managers that no longer own the replicas of the scale lose those of the
 * object, and managers of unknown versions are dropped. New managers wrote through the scale and have no time.
 */
export function parentManagedFields(
  parent: readonly JsonValue[],
  scale: readonly JsonValue[],
  mapping: ScaleMapping,
): readonly JsonObject[] | undefined {
  const before = readManagers(parent)
  const scaleOwners = readManagers(scale)
  const owners = new Map<string, FieldManager>()
  for (const [identity, owner] of before) {
    const left = managerAfterScale(owner, scaleOwners.has(identity), mapping)
    if (left) owners.set(identity, left)
    if (ownsReplicas(owner, mapping)) scaleOwners.delete(identity)
  }
  const path = mapping.replicas.get(mapping.apiVersion) ?? []
  for (const [identity, owner] of scaleOwners) {
    if (!has(owner.fields, replicasInScale)) continue
    owners.set(identity, { ...inVersion(owner, mapping.apiVersion, path), time: before.get(identity)?.time })
  }
  return writeManagers(owners)
}

function ownsReplicas({ apiVersion, fields }: FieldManager, { replicas }: ScaleMapping): boolean {
  const path = replicas.get(apiVersion)
  return path !== undefined && has(fields, path)
}

function managerAfterScale(owner: FieldManager, ownsScale: boolean, mapping: ScaleMapping): FieldManager | undefined {
  if (!mapping.replicas.has(owner.apiVersion)) return undefined
  if (ownsScale || !ownsReplicas(owner, mapping)) return owner
  const left = difference(owner.fields, setOf(mapping.replicas.get(owner.apiVersion)!))
  return isEmptySet(left) ? undefined : managerWithFields(owner, left)
}
