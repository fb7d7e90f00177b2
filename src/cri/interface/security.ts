/** Users, namespaces, capabilities and security profiles. */
import {
  boolField,
  enumField,
  intField,
  intListField,
  messageField,
  messageListField,
  stringField,
  stringListField,
  uintField,
} from './fields.js'
import { type InferMessage, message } from './message.js'
import { Int64Value, NamespaceMode } from './values.js'

export const CriSupplementalGroupsPolicy = ['Merge', 'Strict'] as const
export type CriSupplementalGroupsPolicy = (typeof CriSupplementalGroupsPolicy)[number]

export const ProfileType = ['RuntimeDefault', 'Unconfined', 'Localhost'] as const
export type ProfileType = (typeof ProfileType)[number]

export const IDMapping = message({
  hostId: uintField(1),
  containerId: uintField(2),
  length: uintField(3),
})
export interface IDMapping extends InferMessage<typeof IDMapping> {}

export const UserNamespace = message({
  mode: enumField(1, NamespaceMode),
  uids: messageListField<IDMapping>(2, IDMapping),
  gids: messageListField<IDMapping>(3, IDMapping),
})
export interface UserNamespace extends InferMessage<typeof UserNamespace> {}

export const NamespaceOption = message({
  network: enumField(1, NamespaceMode),
  pid: enumField(2, NamespaceMode),
  ipc: enumField(3, NamespaceMode),
  targetId: stringField(4),
  usernsOptions: messageField<UserNamespace>(5, UserNamespace),
})
export interface NamespaceOption extends InferMessage<typeof NamespaceOption> {}

export const SELinuxOption = message({
  user: stringField(1),
  role: stringField(2),
  type: stringField(3),
  level: stringField(4),
})
export interface SELinuxOption extends InferMessage<typeof SELinuxOption> {}

export const SecurityProfile = message({
  profileType: enumField(1, ProfileType),
  localhostRef: stringField(2),
})
export interface SecurityProfile extends InferMessage<typeof SecurityProfile> {}

export const LinuxSandboxSecurityContext = message({
  namespaceOptions: messageField<NamespaceOption>(1, NamespaceOption),
  selinuxOptions: messageField<SELinuxOption>(2, SELinuxOption),
  runAsUser: messageField<Int64Value>(3, Int64Value),
  runAsGroup: messageField<Int64Value>(8, Int64Value),
  readonlyRootfs: boolField(4),
  supplementalGroups: intListField(5),
  supplementalGroupsPolicy: enumField(11, CriSupplementalGroupsPolicy),
  privileged: boolField(6),
  seccomp: messageField<SecurityProfile>(9, SecurityProfile),
  apparmor: messageField<SecurityProfile>(10, SecurityProfile),
  seccompProfilePath: stringField(7),
})
export interface LinuxSandboxSecurityContext extends InferMessage<typeof LinuxSandboxSecurityContext> {}

export const Capability = message({
  addCapabilities: stringListField(1),
  dropCapabilities: stringListField(2),
  addAmbientCapabilities: stringListField(3),
})
export interface Capability extends InferMessage<typeof Capability> {}

export const LinuxContainerSecurityContext = message({
  capabilities: messageField<Capability>(1, Capability),
  privileged: boolField(2),
  namespaceOptions: messageField<NamespaceOption>(3, NamespaceOption),
  selinuxOptions: messageField<SELinuxOption>(4, SELinuxOption),
  runAsUser: messageField<Int64Value>(5, Int64Value),
  runAsGroup: messageField<Int64Value>(12, Int64Value),
  runAsUsername: stringField(6),
  readonlyRootfs: boolField(7),
  supplementalGroups: intListField(8),
  supplementalGroupsPolicy: enumField(17, CriSupplementalGroupsPolicy),
  noNewPrivs: boolField(11),
  maskedPaths: stringListField(13),
  readonlyPaths: stringListField(14),
  seccomp: messageField<SecurityProfile>(15, SecurityProfile),
  apparmor: messageField<SecurityProfile>(16, SecurityProfile),
  apparmorProfile: stringField(9),
  seccompProfilePath: stringField(10),
})
export interface LinuxContainerSecurityContext extends InferMessage<typeof LinuxContainerSecurityContext> {}

export const CriLinuxContainerUser = message({
  uid: intField(1),
  gid: intField(2),
  supplementalGroups: intListField(3),
})
export interface CriLinuxContainerUser extends InferMessage<typeof CriLinuxContainerUser> {}

export const CriContainerUser = message({
  linux: messageField<CriLinuxContainerUser>(1, CriLinuxContainerUser),
})
export interface CriContainerUser extends InferMessage<typeof CriContainerUser> {}
