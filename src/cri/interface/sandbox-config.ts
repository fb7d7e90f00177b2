/** What a sandbox is asked to be. */
import { choice, integer, messages, nested, text, textMap, texts, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { LinuxContainerResources } from './resources.js'
import { LinuxSandboxSecurityContext } from './security.js'
import { WindowsPodSandboxConfig } from './windows.js'

export const Protocol = ['TCP', 'UDP', 'SCTP'] as const
export type Protocol = (typeof Protocol)[number]

export const DNSConfig = message({
  servers: texts(1),
  searches: texts(2),
  options: texts(3),
})
export interface DNSConfig extends Infer<typeof DNSConfig> {}

export const PortMapping = message({
  protocol: choice(1, Protocol),
  containerPort: integer(2),
  hostPort: integer(3),
  hostIp: text(4),
})
export interface PortMapping extends Infer<typeof PortMapping> {}

export const LinuxPodSandboxConfig = message({
  cgroupParent: text(1),
  securityContext: nested<LinuxSandboxSecurityContext>(2, LinuxSandboxSecurityContext),
  sysctls: textMap(3),
  overhead: nested<LinuxContainerResources>(4, LinuxContainerResources),
  resources: nested<LinuxContainerResources>(5, LinuxContainerResources),
})
export interface LinuxPodSandboxConfig extends Infer<typeof LinuxPodSandboxConfig> {}

export const PodSandboxMetadata = message({
  name: text(1),
  uid: text(2),
  namespace: text(3),
  attempt: unsigned(4),
})
export interface PodSandboxMetadata extends Infer<typeof PodSandboxMetadata> {}

export const PodSandboxConfig = message({
  metadata: nested<PodSandboxMetadata>(1, PodSandboxMetadata),
  hostname: text(2),
  logDirectory: text(3),
  dnsConfig: nested<DNSConfig>(4, DNSConfig),
  portMappings: messages<PortMapping>(5, PortMapping),
  labels: textMap(6),
  annotations: textMap(7),
  linux: nested<LinuxPodSandboxConfig>(8, LinuxPodSandboxConfig),
  windows: nested<WindowsPodSandboxConfig>(9, WindowsPodSandboxConfig),
})
export interface PodSandboxConfig extends Infer<typeof PodSandboxConfig> {}
