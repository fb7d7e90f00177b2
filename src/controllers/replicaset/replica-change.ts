import type { Pod } from '../../api/core/v1/pod.js'
import { podsToDelete } from '../pods/deletion-order.js'

/** So many pods are made or deleted in one look, and no more. */
export const burst = 500

/** What there is to do about the number of pods. */
export type ReplicaChange =
  | { readonly is: 'enough' }
  | { readonly is: 'create'; readonly count: number }
  | { readonly is: 'delete'; readonly pods: readonly Pod[] }

interface Situation {
  /** How many there should be. */
  readonly wanted: number
  /** Those that there are. */
  readonly active: readonly Pod[]
  /** All pods that serve the same purpose, also those of sibling owners. */
  readonly related: () => Iterable<Pod>
  readonly now: number
}

export function decideReplicas({ wanted, active, related, now }: Situation): ReplicaChange {
  const missing = wanted - active.length
  if (missing === 0) return { is: 'enough' }
  if (missing > 0) return { is: 'create', count: Math.min(missing, burst) }
  return { is: 'delete', pods: podsToDelete(active, { count: Math.min(-missing, burst), related: related(), now }) }
}
