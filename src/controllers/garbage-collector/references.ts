import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import { groupOf, type ResourceLocation } from '../../client/resource-location.js'

/** An object as an informer shows it. */
export interface ObservedObject {
  readonly location: ResourceLocation
  readonly metadata: ObjectMeta
}

/**
 * Whether a reference names this owner. The version does not matter: the reference may name another one that is served. An owner in a
 * namespace can only own objects in the same namespace.
 */
export function referenceMatches(
  reference: OwnerReference,
  dependent: ObservedObject,
  { location, metadata }: ObservedObject,
): boolean {
  return (
    reference.uid === metadata.uid &&
    reference.name === metadata.name &&
    reference.kind === location.kind &&
    groupOf(reference.apiVersion) === groupOf(location.apiVersion) &&
    !isInOtherNamespace(dependent, metadata)
  )
}

/** Whether the owner is in a namespace, and the dependent is not in that one. */
export function isInOtherNamespace({ metadata }: ObservedObject, owner: ObjectMeta): boolean {
  return owner.namespace !== undefined && owner.namespace !== metadata.namespace
}

/** Whether it stays until the dependents that block it are gone. */
export function isDeletedInForeground(metadata: ObjectMeta | undefined): boolean {
  return isDeletedWith(metadata, foregroundFinalizer)
}

/** Whether it is deleted without its dependents: it stays until they no longer refer to it. */
export function isOrphaning(metadata: ObjectMeta | undefined): boolean {
  return isDeletedWith(metadata, orphanFinalizer)
}

function isDeletedWith(metadata: ObjectMeta | undefined, finalizer: string): boolean {
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false)
}

/** Whether the dependent blocks the deletion of the owner. */
export function isBlocking({ metadata }: ObservedObject, owner: string): boolean {
  return metadata.ownerReferences?.some(({ uid, blockOwnerDeletion }) => uid === owner && blockOwnerDeletion) ?? false
}

const none: readonly OwnerReference[] = []

export function ownersOf(metadata: ObjectMeta | undefined): readonly OwnerReference[] {
  return metadata?.ownerReferences ?? none
}

export function areSameOwners(some: readonly OwnerReference[], others: readonly OwnerReference[]): boolean {
  return some === others || (some.length === others.length && some.every((each, i) => isSame(each, others[i]!)))
}

function isSame(one: OwnerReference, other: OwnerReference): boolean {
  return (
    one.uid === other.uid &&
    one.name === other.name &&
    one.kind === other.kind &&
    one.apiVersion === other.apiVersion &&
    one.blockOwnerDeletion === other.blockOwnerDeletion &&
    one.controller === other.controller
  )
}
