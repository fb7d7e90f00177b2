import { join } from 'node:path'
import type { Container } from '../../../api/core/v1/container.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { appArmorPrefix, appArmorProfileOf } from '../../../api/core/v1/security-context/app-armor-annotations.js'
import type { AppArmorProfile, SeccompProfile } from '../../../api/core/v1/security-context.js'
import type { PartialMessage } from '../../../cri/interface/message.js'
import type { SecurityProfile } from '../../../cri/interface/security.js'

export interface SeccompSettings {
  /** Folder of seccomp profiles of type `Localhost`. */
  readonly profilesFolder: string
  /** Whether containers without a profile get the runtime's default (`--seccomp-default`). */
  readonly isDefault: boolean
}

/** Throws in upstream's words. */
export function seccompProfile(
  pod: Pod,
  container: Container,
  settings: SeccompSettings,
): PartialMessage<SecurityProfile> {
  const profile = container.securityContext?.seccompProfile ?? pod.spec.securityContext?.seccompProfile
  if (!profile) return { profileType: settings.isDefault ? 'RuntimeDefault' : 'Unconfined' }
  return profile.type === 'Localhost' ? localProfile(profile, settings) : { profileType: profile.type }
}

function localProfile({ localhostProfile }: SeccompProfile, { profilesFolder }: SeccompSettings) {
  if (!localhostProfile) throw new Error('localhostProfile must be set if seccompProfile type is Localhost.')
  return { profileType: 'Localhost', localhostRef: join(profilesFolder, localhostProfile) } as const
}

/** Returns undefined without a profile: the runtime decides. Annotations count for static pods, which the API server does not convert. */
export function appArmorProfile(pod: Pod, container: Container): PartialMessage<SecurityProfile> | undefined {
  const annotation = pod.metadata.annotations?.[appArmorPrefix + container.name]
  const profile: AppArmorProfile | undefined =
    container.securityContext?.appArmorProfile ??
    (annotation === undefined ? undefined : appArmorProfileOf(annotation)) ??
    pod.spec.securityContext?.appArmorProfile
  if (!profile) return undefined
  if (profile.type !== 'Localhost') return { profileType: profile.type }
  if (profile.localhostProfile === undefined) throw new Error('missing localhost apparmor profile name')
  return { profileType: 'Localhost', localhostRef: profile.localhostProfile }
}

/** Returns the profile in the notation of older runtimes. */
export function appArmorName(profile: PartialMessage<SecurityProfile> | undefined): string {
  switch (profile?.profileType) {
    case 'RuntimeDefault':
      return 'runtime/default'
    case 'Unconfined':
      return 'unconfined'
    case 'Localhost':
      return `localhost/${profile.localhostRef}`
    default:
      return ''
  }
}
