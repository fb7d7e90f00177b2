import {
  bool,
  enumeration,
  int64,
  list,
  oneOf,
  openEnumeration,
  ref,
  string,
  type Values,
} from '../../../schema/fields.js'
import type { Infer } from '../../../schema/infer.js'
import { schema } from '../../../schema/schema.js'

export const AppArmorProfileType = enumeration('core/v1.AppArmorProfileType', [
  'Unconfined',
  'RuntimeDefault',
  'Localhost',
])
export type AppArmorProfileType = Values<typeof AppArmorProfileType>

export const PodFSGroupChangePolicy = enumeration('core/v1.PodFSGroupChangePolicy', ['OnRootMismatch', 'Always'])
export type PodFSGroupChangePolicy = Values<typeof PodFSGroupChangePolicy>

export const SupplementalGroupsPolicy = enumeration('core/v1.SupplementalGroupsPolicy', ['Merge', 'Strict'])
export type SupplementalGroupsPolicy = Values<typeof SupplementalGroupsPolicy>

export const PodSELinuxChangePolicy = openEnumeration('core/v1.PodSELinuxChangePolicy', ['Recursive', 'MountOption'])
export type PodSELinuxChangePolicy = Values<typeof PodSELinuxChangePolicy>

export const SeccompProfileType = enumeration('core/v1.SeccompProfileType', [
  'Unconfined',
  'RuntimeDefault',
  'Localhost',
])
export type SeccompProfileType = Values<typeof SeccompProfileType>

export const ProcMountType = enumeration('core/v1.ProcMountType', ['Default', 'Unmasked'])
export type ProcMountType = Values<typeof ProcMountType>

export const PodSecurityContext = schema('core/v1.PodSecurityContext', {
  optional: {
    seLinuxOptions: ref<SELinuxOptions>(1, 'core/v1.SELinuxOptions'),
    runAsUser: int64(2, { keepZero: true }),
    runAsNonRoot: bool(3, { keepZero: true }),
    supplementalGroups: list(4, int64),
    fsGroup: int64(5, { keepZero: true }),
    runAsGroup: int64(6, { keepZero: true }),
    sysctls: list(7, ref<Sysctl>('core/v1.Sysctl')),
    windowsOptions: ref<WindowsSecurityContextOptions>(8, 'core/v1.WindowsSecurityContextOptions'),
    fsGroupChangePolicy: oneOf(9, PodFSGroupChangePolicy, { keepZero: true }),
    seccompProfile: ref<SeccompProfile>(10, 'core/v1.SeccompProfile'),
    appArmorProfile: ref<AppArmorProfile>(11, 'core/v1.AppArmorProfile'),
    supplementalGroupsPolicy: oneOf(12, SupplementalGroupsPolicy, { keepZero: true }),
    seLinuxChangePolicy: oneOf(13, PodSELinuxChangePolicy, { keepZero: true }),
  },
})
export interface PodSecurityContext extends Infer<typeof PodSecurityContext> {}

export const AppArmorProfile = schema('core/v1.AppArmorProfile', {
  required: {
    type: oneOf(1, AppArmorProfileType),
  },
  optional: {
    localhostProfile: string(2, { keepZero: true }),
  },
  unions: [{ discriminator: 'type', fields: ['localhostProfile'] }],
})
export interface AppArmorProfile extends Infer<typeof AppArmorProfile> {}

export const SELinuxOptions = schema('core/v1.SELinuxOptions', {
  optional: {
    user: string(1),
    role: string(2),
    type: string(3),
    level: string(4),
  },
})
export interface SELinuxOptions extends Infer<typeof SELinuxOptions> {}

export const SeccompProfile = schema('core/v1.SeccompProfile', {
  required: {
    type: oneOf(1, SeccompProfileType),
  },
  optional: {
    localhostProfile: string(2, { keepZero: true }),
  },
  unions: [{ discriminator: 'type', fields: ['localhostProfile'] }],
})
export interface SeccompProfile extends Infer<typeof SeccompProfile> {}

export const Sysctl = schema('core/v1.Sysctl', {
  required: {
    name: string(1),
    value: string(2),
  },
})
export interface Sysctl extends Infer<typeof Sysctl> {}

export const WindowsSecurityContextOptions = schema('core/v1.WindowsSecurityContextOptions', {
  optional: {
    gmsaCredentialSpecName: string(1, { keepZero: true }),
    gmsaCredentialSpec: string(2, { keepZero: true }),
    runAsUserName: string(3, { keepZero: true }),
    hostProcess: bool(4, { keepZero: true }),
  },
})
export interface WindowsSecurityContextOptions extends Infer<typeof WindowsSecurityContextOptions> {}

export const SecurityContext = schema('core/v1.SecurityContext', {
  optional: {
    capabilities: ref<Capabilities>(1, 'core/v1.Capabilities'),
    privileged: bool(2, { keepZero: true }),
    seLinuxOptions: ref<SELinuxOptions>(3, 'core/v1.SELinuxOptions'),
    runAsUser: int64(4, { keepZero: true }),
    runAsNonRoot: bool(5, { keepZero: true }),
    readOnlyRootFilesystem: bool(6, { keepZero: true }),
    allowPrivilegeEscalation: bool(7, { keepZero: true }),
    runAsGroup: int64(8, { keepZero: true }),
    procMount: oneOf(9, ProcMountType, { keepZero: true }),
    windowsOptions: ref<WindowsSecurityContextOptions>(10, 'core/v1.WindowsSecurityContextOptions'),
    seccompProfile: ref<SeccompProfile>(11, 'core/v1.SeccompProfile'),
    appArmorProfile: ref<AppArmorProfile>(12, 'core/v1.AppArmorProfile'),
  },
})
export interface SecurityContext extends Infer<typeof SecurityContext> {}

export const Capabilities = schema('core/v1.Capabilities', {
  optional: {
    add: list(1, string, { goType: '[]v1.Capability' }),
    drop: list(2, string, { goType: '[]v1.Capability' }),
  },
})
export interface Capabilities extends Infer<typeof Capabilities> {}
