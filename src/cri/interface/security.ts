/** Who a container is and what it may do. */
import { choice, integer, integers, messages, nested, text, texts, truth, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { Int64Value, NamespaceMode } from './values.js'

export const SupplementalGroupsPolicy = ['Merge', 'Strict'] as const
export type SupplementalGroupsPolicy = (typeof SupplementalGroupsPolicy)[number]

export const ProfileType = ['RuntimeDefault', 'Unconfined', 'Localhost'] as const
export type ProfileType = (typeof ProfileType)[number]

export const IDMapping = message({
  hostId: unsigned(1),
  containerId: unsigned(2),
  length: unsigned(3),
})
export interface IDMapping extends Infer<typeof IDMapping> {}

export const UserNamespace = message({
  mode: choice(1, NamespaceMode),
  uids: messages<IDMapping>(2, IDMapping),
  gids: messages<IDMapping>(3, IDMapping),
})
export interface UserNamespace extends Infer<typeof UserNamespace> {}

export const NamespaceOption = message({
  network: choice(1, NamespaceMode),
  pid: choice(2, NamespaceMode),
  ipc: choice(3, NamespaceMode),
  targetId: text(4),
  usernsOptions: nested<UserNamespace>(5, UserNamespace),
})
export interface NamespaceOption extends Infer<typeof NamespaceOption> {}

export const SELinuxOption = message({
  user: text(1),
  role: text(2),
  type: text(3),
  level: text(4),
})
export interface SELinuxOption extends Infer<typeof SELinuxOption> {}

export const SecurityProfile = message({
  profileType: choice(1, ProfileType),
  localhostRef: text(2),
})
export interface SecurityProfile extends Infer<typeof SecurityProfile> {}

export const LinuxSandboxSecurityContext = message({
  namespaceOptions: nested<NamespaceOption>(1, NamespaceOption),
  selinuxOptions: nested<SELinuxOption>(2, SELinuxOption),
  runAsUser: nested<Int64Value>(3, Int64Value),
  runAsGroup: nested<Int64Value>(8, Int64Value),
  readonlyRootfs: truth(4),
  supplementalGroups: integers(5),
  supplementalGroupsPolicy: choice(11, SupplementalGroupsPolicy),
  privileged: truth(6),
  seccomp: nested<SecurityProfile>(9, SecurityProfile),
  apparmor: nested<SecurityProfile>(10, SecurityProfile),
  seccompProfilePath: text(7),
})
export interface LinuxSandboxSecurityContext extends Infer<typeof LinuxSandboxSecurityContext> {}

export const Capability = message({
  addCapabilities: texts(1),
  dropCapabilities: texts(2),
  addAmbientCapabilities: texts(3),
})
export interface Capability extends Infer<typeof Capability> {}

export const LinuxContainerSecurityContext = message({
  capabilities: nested<Capability>(1, Capability),
  privileged: truth(2),
  namespaceOptions: nested<NamespaceOption>(3, NamespaceOption),
  selinuxOptions: nested<SELinuxOption>(4, SELinuxOption),
  runAsUser: nested<Int64Value>(5, Int64Value),
  runAsGroup: nested<Int64Value>(12, Int64Value),
  runAsUsername: text(6),
  readonlyRootfs: truth(7),
  supplementalGroups: integers(8),
  supplementalGroupsPolicy: choice(17, SupplementalGroupsPolicy),
  noNewPrivs: truth(11),
  maskedPaths: texts(13),
  readonlyPaths: texts(14),
  seccomp: nested<SecurityProfile>(15, SecurityProfile),
  apparmor: nested<SecurityProfile>(16, SecurityProfile),
  apparmorProfile: text(9),
  seccompProfilePath: text(10),
})
export interface LinuxContainerSecurityContext extends Infer<typeof LinuxContainerSecurityContext> {}

export const LinuxContainerUser = message({
  uid: integer(1),
  gid: integer(2),
  supplementalGroups: integers(3),
})
export interface LinuxContainerUser extends Infer<typeof LinuxContainerUser> {}

export const ContainerUser = message({
  linux: nested<LinuxContainerUser>(1, LinuxContainerUser),
})
export interface ContainerUser extends Infer<typeof ContainerUser> {}
