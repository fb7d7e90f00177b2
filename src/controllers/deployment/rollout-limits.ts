import type { Deployment } from '../../api/apps/v1/deployment.js'
import { scaledValue } from '../../schema/values/int-or-string.js'

/** How far the number of pods may differ from the desired replicas during a rollout. */
export interface RolloutLimits {
  /** How many pods there may be beyond the desired replicas. */
  readonly surge: number
  /** How many of the desired replicas may be unavailable. */
  readonly unavailable: number
}

export function desiredReplicas({ spec }: Deployment): number {
  return spec.replicas ?? 1
}

export function isRollingUpdate({ spec }: Deployment): boolean {
  return spec.strategy?.type === 'RollingUpdate'
}

/** Surge is rounded up and unavailability down. If both are 0, no rollout could proceed, so one pod may be unavailable. */
export function rolloutLimits(deployment: Deployment): RolloutLimits {
  if (!isRollingUpdate(deployment)) return { surge: 0, unavailable: 0 }
  const replicas = desiredReplicas(deployment)
  const { maxSurge = 0, maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {}
  const surge = scaledValue(maxSurge, replicas, 'up')
  const rounded = scaledValue(maxUnavailable, replicas, 'down')
  const unavailable = surge === 0 && rounded === 0 ? 1 : rounded
  return { surge, unavailable: Math.min(unavailable, replicas) }
}

/** How many pods there may be at the same time. */
export function maxReplicas(deployment: Deployment): number {
  return desiredReplicas(deployment) + rolloutLimits(deployment).surge
}

/** How many pods must be available for the Deployment to be. */
export function minAvailable(deployment: Deployment): number {
  return desiredReplicas(deployment) - rolloutLimits(deployment).unavailable
}
