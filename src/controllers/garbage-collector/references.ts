import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import { groupOf, type ResourceLocation } from '../../client/resource-location.js'

/** An object as an informer shows it. */
export interface Observed {
  readonly place: ResourceLocation
  readonly metadata: ObjectMeta
}

/**
 * Whether a reference says truly where its owner is. The version does not matter: it may have been written down in another one.
 * Owners without a namespace are there for everybody; the others only for what is in the same namespace.
 */
export function matches(reference: OwnerReference, dependent: Observed, { place, metadata }: Observed): boolean {
  return (
    reference.uid === metadata.uid &&
    reference.name === metadata.name &&
    reference.kind === place.kind &&
    groupOf(reference.apiVersion) === groupOf(place.apiVersion) &&
    !isElsewhere(dependent, metadata)
  )
}

/** Whether the owner is in a namespace, and the dependent is not in that one. */
export function isElsewhere({ metadata }: Observed, owner: ObjectMeta): boolean {
  return owner.namespace !== undefined && owner.namespace !== metadata.namespace
}

/** It was deleted in the foreground: it stays until its dependents that say so are gone. */
export function isWaiting(metadata: ObjectMeta | undefined): boolean {
  return isDeletedWith(metadata, foregroundFinalizer)
}

/** It was deleted without its dependents: it stays until these have let go of it. */
export function isOrphaning(metadata: ObjectMeta | undefined): boolean {
  return isDeletedWith(metadata, orphanFinalizer)
}

function isDeletedWith(metadata: ObjectMeta | undefined, finalizer: string): boolean {
  return metadata?.deletionTimestamp !== undefined && (metadata.finalizers?.includes(finalizer) ?? false)
}

/** Whether the owner must not go before the dependent. */
export function isBlocking({ metadata }: Observed, owner: string): boolean {
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
