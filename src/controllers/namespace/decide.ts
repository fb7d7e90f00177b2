import type { Namespace, NamespaceStatus } from '../../api/core/v1/namespace.js'
import type { DiscoveredResource } from '../../client/discovery/discovered.js'
import { formatTime } from '../../schema/values/time.js'
import { areSameConditions, deletionConditions } from './conditions.js'
import type { DeletionProgress } from './remaining-content.js'

/** Removed when everything in the namespace is gone. */
export const namespaceFinalizer = 'kubernetes'

/** Milliseconds until a failed deletion is tried again. Upstream retries at least every minute. */
const retryDelay = 10_000

/** A namespace that is being deleted. */
export interface NamespaceObservation extends DeletionProgress {
  readonly namespace: Namespace
  /** In milliseconds since the epoch, as `now`. */
  readonly deletedAt: number
  readonly now: number
  /** Groups of resources whose objects are not deleted yet, in the order in which they are to be deleted. */
  readonly undeleted: readonly (readonly DiscoveredResource[])[]
}

export type NamespaceDecision =
  | { readonly do: 'delete content'; readonly resources: readonly DiscoveredResource[] }
  | {
      readonly do: 'report'
      /** Undefined if it has not changed. */
      readonly status: NamespaceStatus | undefined
      /** Whether nothing is left, so that the namespace may go. */
      readonly isEmpty: boolean
      /** Why something could not be deleted. */
      readonly failures: readonly string[]
      readonly requeueAfter: number
    }

/** Deletes nothing else while a pod is left: it could run without the objects that restrict it. */
export function decide(observation: NamespaceObservation): NamespaceDecision {
  const { namespace, remaining, undiscovered, undeleted, now } = observation
  const [resources] = undeleted
  if (resources && remaining.length === 0) return { do: 'delete content', resources }
  const before = namespace.status.conditions ?? []
  const conditions = deletionConditions(observation, before, formatTime(now))
  const isReported = areSameConditions(conditions, before)
  const failures = remaining.flatMap(({ failure }) => failure ?? [])
  return {
    do: 'report',
    status: isReported ? undefined : { ...namespace.status, phase: 'Terminating', conditions },
    isEmpty: remaining.length === 0 && undiscovered === undefined,
    failures,
    requeueAfter: failures.length > 0 || undiscovered !== undefined ? retryDelay : delayOf(observation),
  }
}

/** Half of the estimated time. */
function delayOf({ remaining }: NamespaceObservation): number {
  const seconds = Math.max(0, ...remaining.map(({ estimate }) => estimate))
  return (Math.floor(seconds / 2) + 1) * 1000
}
