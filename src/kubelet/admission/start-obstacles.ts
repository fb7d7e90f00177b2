import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { appArmorPrefix, appArmorProfileOf } from '../../api/core/v1/security-context/app-armor-annotations.js'
import type { AppArmorProfile } from '../../api/core/v1/security-context.js'
import type { WaitingReason } from '../status/pod-status-input.js'
import { isKernelSince } from './kernel-version.js'
import type { AdmissionContext } from './pod-admission.js'

/** Blocks a pod that requires AppArmor on a host without it. A pod that has started is not checked again. */
export function appArmorObstacle(pod: Pod, { hasAppArmor }: AdmissionContext): WaitingReason | undefined {
  if ((pod.status?.phase ?? 'Pending') !== 'Pending') return undefined
  const profiles = containersOf(pod).map((container) => profileOf(container, pod))
  if (!profiles.some((profile) => profile && profile.type !== 'Unconfined')) return undefined
  if (!hasAppArmor) return obstacle('AppArmor is not enabled on the host')
  return undefined
}

function obstacle(why: string): WaitingReason {
  return { reason: 'AppArmor', message: `Cannot enforce AppArmor: ${why}` }
}

function containersOf({ spec }: Pod): readonly Container[] {
  return [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])]
}

function profileOf({ name, securityContext }: Container, { metadata, spec }: Pod): AppArmorProfile | undefined {
  const annotation = metadata.annotations?.[appArmorPrefix + name]
  return (
    securityContext?.appArmorProfile ??
    spec.securityContext?.appArmorProfile ??
    (annotation === undefined ? undefined : appArmorProfileOf(annotation))
  )
}

/** First Linux version with no_new_privs. Every CRI runtime supports it. */
const since = '3.5'

export function noNewPrivilegesObstacle(
  { spec, status }: Pod,
  { kernelVersion }: AdmissionContext,
): WaitingReason | undefined {
  if ((status?.phase ?? 'Pending') !== 'Pending' || isKernelSince(kernelVersion, since)) return undefined
  const containers = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])]
  if (!containers.some(({ securityContext }) => securityContext?.allowPrivilegeEscalation === false)) return undefined
  return { reason: 'NoNewPrivs', message: `Cannot enforce NoNewPrivs: Linux ${kernelVersion} is older than ${since}` }
}
