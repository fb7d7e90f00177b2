/** What is said about containers on Windows. Proa runs none, and passes it on. */
import { choice, integer, messages, nested, text, truth, unsigned } from './fields.js'
import { type Infer, message } from './message.js'
import { NamespaceMode } from './values.js'

export const WindowsNamespaceOption = message({
  network: choice(1, NamespaceMode),
})
export interface WindowsNamespaceOption extends Infer<typeof WindowsNamespaceOption> {}

export const WindowsSandboxSecurityContext = message({
  runAsUsername: text(1),
  credentialSpec: text(2),
  hostProcess: truth(3),
  namespaceOptions: nested<WindowsNamespaceOption>(4, WindowsNamespaceOption),
})
export interface WindowsSandboxSecurityContext extends Infer<typeof WindowsSandboxSecurityContext> {}

export const WindowsPodSandboxConfig = message({
  securityContext: nested<WindowsSandboxSecurityContext>(1, WindowsSandboxSecurityContext),
})
export interface WindowsPodSandboxConfig extends Infer<typeof WindowsPodSandboxConfig> {}

export const WindowsContainerSecurityContext = message({
  runAsUsername: text(1),
  credentialSpec: text(2),
  hostProcess: truth(3),
})
export interface WindowsContainerSecurityContext extends Infer<typeof WindowsContainerSecurityContext> {}

export const WindowsCpuGroupAffinity = message({
  cpuMask: unsigned(1),
  cpuGroup: unsigned(2),
})
export interface WindowsCpuGroupAffinity extends Infer<typeof WindowsCpuGroupAffinity> {}

export const WindowsContainerResources = message({
  cpuShares: integer(1),
  cpuCount: integer(2),
  cpuMaximum: integer(3),
  memoryLimitInBytes: integer(4),
  rootfsSizeInBytes: integer(5),
  affinityCpus: messages<WindowsCpuGroupAffinity>(6, WindowsCpuGroupAffinity),
})
export interface WindowsContainerResources extends Infer<typeof WindowsContainerResources> {}

export const WindowsContainerConfig = message({
  resources: nested<WindowsContainerResources>(1, WindowsContainerResources),
  securityContext: nested<WindowsContainerSecurityContext>(2, WindowsContainerSecurityContext),
})
export interface WindowsContainerConfig extends Infer<typeof WindowsContainerConfig> {}
