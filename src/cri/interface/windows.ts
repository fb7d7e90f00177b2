/** Settings of containers on Windows. Proa runs none and passes these messages on. */
import { boolField, enumField, intField, messageField, messageListField, stringField, uintField } from './fields.js'
import { type InferMessage, message } from './message.js'
import { NamespaceMode } from './values.js'

export const WindowsNamespaceOption = message({
  network: enumField(1, NamespaceMode),
})
export interface WindowsNamespaceOption extends InferMessage<typeof WindowsNamespaceOption> {}

export const WindowsSandboxSecurityContext = message({
  runAsUsername: stringField(1),
  credentialSpec: stringField(2),
  hostProcess: boolField(3),
  namespaceOptions: messageField<WindowsNamespaceOption>(4, WindowsNamespaceOption),
})
export interface WindowsSandboxSecurityContext extends InferMessage<typeof WindowsSandboxSecurityContext> {}

export const WindowsPodSandboxConfig = message({
  securityContext: messageField<WindowsSandboxSecurityContext>(1, WindowsSandboxSecurityContext),
})
export interface WindowsPodSandboxConfig extends InferMessage<typeof WindowsPodSandboxConfig> {}

export const WindowsContainerSecurityContext = message({
  runAsUsername: stringField(1),
  credentialSpec: stringField(2),
  hostProcess: boolField(3),
})
export interface WindowsContainerSecurityContext extends InferMessage<typeof WindowsContainerSecurityContext> {}

export const WindowsCpuGroupAffinity = message({
  cpuMask: uintField(1),
  cpuGroup: uintField(2),
})
export interface WindowsCpuGroupAffinity extends InferMessage<typeof WindowsCpuGroupAffinity> {}

export const WindowsContainerResources = message({
  cpuShares: intField(1),
  cpuCount: intField(2),
  cpuMaximum: intField(3),
  memoryLimitInBytes: intField(4),
  rootfsSizeInBytes: intField(5),
  affinityCpus: messageListField<WindowsCpuGroupAffinity>(6, WindowsCpuGroupAffinity),
})
export interface WindowsContainerResources extends InferMessage<typeof WindowsContainerResources> {}

export const WindowsContainerConfig = message({
  resources: messageField<WindowsContainerResources>(1, WindowsContainerResources),
  securityContext: messageField<WindowsContainerSecurityContext>(2, WindowsContainerSecurityContext),
})
export interface WindowsContainerConfig extends InferMessage<typeof WindowsContainerConfig> {}
