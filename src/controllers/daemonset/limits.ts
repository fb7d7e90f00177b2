import type { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { scaledValue } from '../../schema/values/int-or-string.js'

/** How many nodes an update may affect at the same time. */
export interface UpdateLimits {
  /** Nodes that may have two pods. */
  readonly surge: number
  /** Nodes that may be without an available pod. */
  readonly unavailable: number
}

/** `desired`: the number of nodes that should have a pod. */
export function updateLimits({ spec }: DaemonSet, desired: number): UpdateLimits {
  const { maxSurge = 0, maxUnavailable = 1 } = spec.updateStrategy?.rollingUpdate ?? {}
  const surge = scaledValue(maxSurge, desired, 'up')
  const unavailable = scaledValue(maxUnavailable, desired, 'up')
  // If both are 0, no update could proceed.
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable }
}

export function allowsSurge(set: DaemonSet): boolean {
  return set.spec.updateStrategy?.type === 'RollingUpdate' && updateLimits(set, 100).surge > 0
}
