import type { Pod } from '../../api/core/v1/pod.js'
import { podsToDelete } from '../pods/deletion-order.js'
import { type ReplicaOwner, wantedReplicas } from './replica-kind.js'

/** The most pods that are created or deleted in one reconcile, so that a large owner does not starve the others. */
export const burst = 500

export interface ReplicaObservation {
  readonly owner: ReplicaOwner
  /** The pods that count as replicas. */
  readonly active: readonly Pod[]
  /** How many pods are being deleted; undefined if the status of the kind does not have it. */
  readonly terminating: number | undefined
  /** If there are too many: all pods that serve the same purpose, also those of sibling owners. */
  readonly related: readonly Pod[]
  readonly now: number
}

export type ReplicaDecision =
  | { readonly do: 'nothing' }
  | { readonly do: 'create'; readonly count: number }
  | { readonly do: 'delete'; readonly pods: readonly Pod[] }

/** An owner that is being deleted creates and deletes nothing. */
export function decide({ owner, active, related, now }: ReplicaObservation): ReplicaDecision {
  const missing = wantedReplicas(owner) - active.length
  if (missing === 0 || owner.metadata.deletionTimestamp !== undefined) return { do: 'nothing' }
  if (missing > 0) return { do: 'create', count: Math.min(missing, burst) }
  return { do: 'delete', pods: podsToDelete(active, { count: Math.min(-missing, burst), related, now }) }
}
