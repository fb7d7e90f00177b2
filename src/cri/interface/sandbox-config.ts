/** The configuration of a sandbox. */
import {
  enumField,
  intField,
  messageField,
  messageListField,
  stringField,
  stringListField,
  stringMapField,
  uintField,
} from './fields.js'
import { type InferMessage, message } from './message.js'
import { LinuxContainerResources } from './resources.js'
import { LinuxSandboxSecurityContext } from './security.js'
import { WindowsPodSandboxConfig } from './windows.js'

export const CriProtocol = ['TCP', 'UDP', 'SCTP'] as const
export type CriProtocol = (typeof CriProtocol)[number]

export const DNSConfig = message({
  servers: stringListField(1),
  searches: stringListField(2),
  options: stringListField(3),
})
export interface DNSConfig extends InferMessage<typeof DNSConfig> {}

export const PortMapping = message({
  protocol: enumField(1, CriProtocol),
  containerPort: intField(2),
  hostPort: intField(3),
  hostIp: stringField(4),
})
export interface PortMapping extends InferMessage<typeof PortMapping> {}

export const LinuxPodSandboxConfig = message({
  cgroupParent: stringField(1),
  securityContext: messageField<LinuxSandboxSecurityContext>(2, LinuxSandboxSecurityContext),
  sysctls: stringMapField(3),
  overhead: messageField<LinuxContainerResources>(4, LinuxContainerResources),
  resources: messageField<LinuxContainerResources>(5, LinuxContainerResources),
})
export interface LinuxPodSandboxConfig extends InferMessage<typeof LinuxPodSandboxConfig> {}

export const PodSandboxMetadata = message({
  name: stringField(1),
  uid: stringField(2),
  namespace: stringField(3),
  attempt: uintField(4),
})
export interface PodSandboxMetadata extends InferMessage<typeof PodSandboxMetadata> {}

export const PodSandboxConfig = message({
  metadata: messageField<PodSandboxMetadata>(1, PodSandboxMetadata),
  hostname: stringField(2),
  logDirectory: stringField(3),
  dnsConfig: messageField<DNSConfig>(4, DNSConfig),
  portMappings: messageListField<PortMapping>(5, PortMapping),
  labels: stringMapField(6),
  annotations: stringMapField(7),
  linux: messageField<LinuxPodSandboxConfig>(8, LinuxPodSandboxConfig),
  windows: messageField<WindowsPodSandboxConfig>(9, WindowsPodSandboxConfig),
})
export interface PodSandboxConfig extends InferMessage<typeof PodSandboxConfig> {}
