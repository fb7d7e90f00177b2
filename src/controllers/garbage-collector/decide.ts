import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import { foregroundFinalizer, orphanFinalizer } from '../../api/metadata/finalizers.js'
import type { DeleteRequestOptions } from '../../client/request-options.js'
import type { ObservedObject } from './references.js'

/** What is known of the owner that a reference names. */
export type OwnerState =
  /** It exists and keeps its dependents. */
  | 'solid'
  /** It does not exist, or another object has its name. */
  | 'absent'
  /** It is being deleted in the foreground: its dependents go first. */
  | 'waiting'

export interface ObservedOwner {
  readonly reference: OwnerReference
  readonly state: OwnerState
}

export type CollectorObservation =
  /** An owner that no informer shows, and the result of the search for it. */
  | ({ readonly is: 'unseen owner' } & OwnerSearchResult)
  /** An object that is deleted without its dependents. */
  | { readonly is: 'orphaning'; readonly object: ObservedObject; readonly dependents: readonly ObservedObject[] }
  /** An object that is deleted in the foreground. */
  | {
      readonly is: 'waiting'
      readonly object: ObservedObject
      /** Whether a dependent blocks it. */
      readonly isBlocked: boolean
      /** Whether it waits, over its dependents, for itself. */
      readonly isInCycle: boolean
    }
  | OwnedObservation

export interface OwnedObservation {
  readonly is: 'owned'
  readonly object: ObservedObject
  readonly owners: readonly ObservedOwner[]
  readonly hasDependents: boolean
  /** Whether a deletion requires that the object has not changed at all. Otherwise only its uid must be the same. */
  readonly isExact: boolean
  /** How often it was observed in this reconcile. */
  readonly attempt: number
}

export interface OwnerSearchResult {
  readonly uid: string
  /** Dependents that name an owner that does not exist. */
  readonly misled: readonly string[]
  readonly isFound: boolean
  /** Whether every reference to it could be looked up. */
  readonly isComplete: boolean
  /** Whether an informer shows it by now. */
  readonly isSeen: boolean
}

export type CollectorDecision =
  | {
      readonly do: 'enqueue dependents'
      readonly uids: readonly string[]
      /** The owner does not exist. */
      readonly isAbsent: boolean
      readonly requeueAfter?: number
    }
  | { readonly do: 'orphan dependents'; readonly dependents: readonly ObservedObject[] }
  | { readonly do: 'remove foreground finalizer' }
  /** Ends a cycle of objects that wait for one another. */
  | { readonly do: 'unblock owners' }
  /** Removes owners that are gone; at least one is left. */
  | { readonly do: 'release'; readonly from: readonly ObservedOwner[] }
  | { readonly do: 'delete'; readonly policy: NonNullable<DeleteRequestOptions['propagationPolicy']> }

/** Milliseconds until an owner that exists and that no informer shows is requested again. */
const searchInterval = 30_000

export function decide(observation: CollectorObservation): CollectorDecision | undefined {
  switch (observation.is) {
    case 'unseen owner': {
      const { misled, isFound, isComplete, isSeen } = observation
      const isAbsent = !isSeen && !isFound && isComplete
      const again = isFound && !isSeen && { requeueAfter: searchInterval }
      return { do: 'enqueue dependents', uids: misled, isAbsent, ...again }
    }
    case 'orphaning':
      return { do: 'orphan dependents', dependents: observation.dependents }
    case 'waiting':
      if (!observation.isBlocked) return { do: 'remove foreground finalizer' }
      return observation.isInCycle ? { do: 'unblock owners' } : undefined
    case 'owned':
      return decideOwned(observation)
  }
}

/** One solid owner is enough to keep an object. */
function decideOwned({ owners, object, hasDependents }: OwnedObservation): CollectorDecision | undefined {
  const gone = owners.filter(({ state }) => state !== 'solid')
  if (gone.length === 0) return undefined
  if (gone.length < owners.length) return { do: 'release', from: gone }
  const isAwaited = owners.some(({ state }) => state === 'waiting')
  // An owner that waits for it waits for its dependents as well, so it must wait for them itself.
  return { do: 'delete', policy: isAwaited && hasDependents ? 'Foreground' : policyOf(object.metadata) }
}

/** A finalizer may say what happens to its dependents. */
function policyOf({ finalizers = [] }: ObjectMeta): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes(orphanFinalizer)) return 'Orphan'
  return finalizers.includes(foregroundFinalizer) ? 'Foreground' : 'Background'
}
