import type { Deployment } from '../../api/apps/v1/deployment.js'
import { scaledValue } from '../../schema/values/int-or-string.js'

/** Between which numbers the pods of a Deployment stay while they are replaced. */
export interface Fenceposts {
  /** How many there may be above what was asked for. */
  readonly surge: number
  /** How many may be missing of what was asked for. */
  readonly unavailable: number
}

export function wantedReplicas({ spec }: Deployment): number {
  return spec.replicas ?? 1
}

export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec.strategy?.type === 'RollingUpdate'
}

/** Surge is rounded up and unavailability down; if both came to nothing nothing could ever move, so one pod may be missing. */
export function fenceposts(deployment: Deployment): Fenceposts {
  if (!isRollingUpdate(deployment)) return { surge: 0, unavailable: 0 }
  const replicas = wantedReplicas(deployment)
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {}
  const surge = scaledValue(maxSurge, replicas, 'up')
  const missing = scaledValue(maxUnavailable, replicas, 'down')
  const unavailable = surge === 0 && missing === 0 ? 1 : missing
  return { surge, unavailable: Math.min(unavailable, replicas) }
}

/** How many pods there may be at once. */
export function mostReplicas(deployment: Deployment): number {
  return wantedReplicas(deployment) + fenceposts(deployment).surge
}

/** How many pods must be available for the Deployment to be. */
export function fewestAvailable(deployment: Deployment): number {
  return wantedReplicas(deployment) - fenceposts(deployment).unavailable
}
