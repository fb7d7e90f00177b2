import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { KillReason } from './pod-actions.js'

/** Seconds. However short a grace period is, a container has so long to end by itself. */
export const shortestStop = 2
const shortestGrace = 1

/** How long the containers of a pod that ends have, in seconds. It only ever gets shorter: `former` is what was decided before. */
export function podGracePeriod({ metadata, spec }: Pod, former?: number, wanted?: number): number {
  const asked = [former, metadata.deletionGracePeriodSeconds, wanted].filter((one) => one !== undefined && one > 0)
  // One that is deleted without any grace is gone for others; here it still ends as it wanted to.
  const grace = asked.length > 0 ? Math.min(...(asked as number[])) : (spec?.terminationGracePeriodSeconds ?? 0)
  return Math.max(grace, shortestGrace)
}

/** How long one container has that is stopped while its pod goes on. */
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
