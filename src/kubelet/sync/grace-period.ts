import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { KillReason } from './pod-actions.js'

/** Seconds that every container has to exit by itself, however short its grace period is. */
export const shortestStop = 2
const shortestGrace = 1

/** Returns the grace period of a terminating pod in seconds. It never gets longer than `former`, the period decided before. */
export function podGracePeriod({ metadata, spec }: Pod, former?: number, wanted?: number): number {
  const requested = [former, metadata.deletionGracePeriodSeconds, wanted].filter((one) => one !== undefined && one > 0)
  // A pod that is deleted without a grace period still terminates with the one of its specification.
  const grace = requested.length > 0 ? Math.min(...(requested as number[])) : (spec?.terminationGracePeriodSeconds ?? 0)
  return Math.max(grace, shortestGrace)
}

/** Returns the grace period in seconds of a container that is stopped while its pod keeps running. */
export function containerGracePeriod({ metadata, spec }: Pod, container: Container, reason: KillReason): number {
  if (metadata.deletionGracePeriodSeconds !== undefined) return metadata.deletionGracePeriodSeconds
  const ofProbe =
    reason === 'LivenessProbe'
      ? container.livenessProbe
      : reason === 'StartupProbe'
        ? container.startupProbe
        : undefined
  return ofProbe?.terminationGracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? shortestStop
}
