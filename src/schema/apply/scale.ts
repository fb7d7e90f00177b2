import type { JsonObject, JsonValue } from '../declaration.js'
import { readOwners, writeOwners } from './entries.js'
import { fieldPath, has, isEmpty, type Path, setOf } from './field-set.js'
import { type Owner, ownerWith } from './owners.js'
import { difference } from './set-algebra.js'

/**
 * A scale is a view of another object: who owns its `.spec.replicas` owns the field that this stands for, and the other way
 * round.
 */
export interface ScaleMapping {
  /** The version of the object through which its scale is written. */
  readonly apiVersion: string
  /** Where the number of replicas stands, by version; undefined for a version that has no scale. */
  readonly replicas: ReadonlyMap<string, Path | undefined>
}

const scaleVersion = 'autoscaling/v1'
const replicasInScale = fieldPath('spec', 'replicas')

/** The managed fields of an object's scale. */
export function scaleManagedFields(
  parent: readonly JsonValue[],
  mapping: ScaleMapping,
): readonly JsonObject[] | undefined {
  const owners = new Map<string, Owner>()
  for (const [identity, owner] of readOwners(parent))
    if (ownsReplicas(owner, mapping)) owners.set(identity, inVersion(owner, scaleVersion, replicasInScale))
  return writeOwners(owners)
}

function inVersion(owner: Owner, apiVersion: string, path: Path): Owner {
  return { ...owner, apiVersion, fields: setOf(path), entry: undefined }
}

/**
 * The managed fields of an object after its scale has been written. Who owned the replicas and does not own those of the scale
 * loses them; owners in versions that are not known are dropped; who is new came through the scale, and gets no time.
 */
export function parentManagedFields(
  parent: readonly JsonValue[],
  scale: readonly JsonValue[],
  mapping: ScaleMapping,
): readonly JsonObject[] | undefined {
  const before = readOwners(parent)
  const scaleOwners = readOwners(scale)
  const owners = new Map<string, Owner>()
  for (const [identity, owner] of before) {
    const left = ownerAfterScale(owner, scaleOwners.has(identity), mapping)
    if (left) owners.set(identity, left)
    if (ownsReplicas(owner, mapping)) scaleOwners.delete(identity)
  }
  const path = mapping.replicas.get(mapping.apiVersion) ?? []
  for (const [identity, owner] of scaleOwners) {
    if (!has(owner.fields, replicasInScale)) continue
    owners.set(identity, { ...inVersion(owner, mapping.apiVersion, path), time: before.get(identity)?.time })
  }
  return writeOwners(owners)
}

function ownsReplicas({ apiVersion, fields }: Owner, { replicas }: ScaleMapping): boolean {
  const path = replicas.get(apiVersion)
  return path !== undefined && has(fields, path)
}

function ownerAfterScale(owner: Owner, ownsScale: boolean, mapping: ScaleMapping): Owner | undefined {
  if (!mapping.replicas.has(owner.apiVersion)) return undefined
  if (ownsScale || !ownsReplicas(owner, mapping)) return owner
  const left = difference(owner.fields, setOf(mapping.replicas.get(owner.apiVersion)!))
  return isEmpty(left) ? undefined : ownerWith(owner, left)
}
