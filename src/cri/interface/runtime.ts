/** The runtime itself. */
import { choice, messages, nested, text, textMap, truth } from './fields.js'
import { type Infer, message } from './message.js'

export const CgroupDriver = ['SYSTEMD', 'CGROUPFS'] as const
export type CgroupDriver = (typeof CgroupDriver)[number]

export const VersionRequest = message({
  version: text(1),
})
export interface VersionRequest extends Infer<typeof VersionRequest> {}

export const VersionResponse = message({
  version: text(1),
  runtimeName: text(2),
  runtimeVersion: text(3),
  runtimeApiVersion: text(4),
})
export interface VersionResponse extends Infer<typeof VersionResponse> {}

export const NetworkConfig = message({
  podCidr: text(1),
})
export interface NetworkConfig extends Infer<typeof NetworkConfig> {}

export const RuntimeConfig = message({
  networkConfig: nested<NetworkConfig>(1, NetworkConfig),
})
export interface RuntimeConfig extends Infer<typeof RuntimeConfig> {}

export const UpdateRuntimeConfigRequest = message({
  runtimeConfig: nested<RuntimeConfig>(1, RuntimeConfig),
})
export interface UpdateRuntimeConfigRequest extends Infer<typeof UpdateRuntimeConfigRequest> {}

export const UpdateRuntimeConfigResponse = message({})
export interface UpdateRuntimeConfigResponse extends Infer<typeof UpdateRuntimeConfigResponse> {}

export const RuntimeCondition = message({
  type: text(1),
  status: truth(2),
  reason: text(3),
  message: text(4),
})
export interface RuntimeCondition extends Infer<typeof RuntimeCondition> {}

export const RuntimeStatus = message({
  conditions: messages<RuntimeCondition>(1, RuntimeCondition),
})
export interface RuntimeStatus extends Infer<typeof RuntimeStatus> {}

export const StatusRequest = message({
  verbose: truth(1),
})
export interface StatusRequest extends Infer<typeof StatusRequest> {}

export const RuntimeHandlerFeatures = message({
  recursiveReadOnlyMounts: truth(1),
  userNamespaces: truth(2),
})
export interface RuntimeHandlerFeatures extends Infer<typeof RuntimeHandlerFeatures> {}

export const RuntimeHandler = message({
  name: text(1),
  features: nested<RuntimeHandlerFeatures>(2, RuntimeHandlerFeatures),
})
export interface RuntimeHandler extends Infer<typeof RuntimeHandler> {}

export const RuntimeFeatures = message({
  supplementalGroupsPolicy: truth(1),
  userNamespacesHostNetwork: truth(2),
})
export interface RuntimeFeatures extends Infer<typeof RuntimeFeatures> {}

export const StatusResponse = message({
  status: nested<RuntimeStatus>(1, RuntimeStatus),
  info: textMap(2),
  runtimeHandlers: messages<RuntimeHandler>(3, RuntimeHandler),
  features: nested<RuntimeFeatures>(4, RuntimeFeatures),
})
export interface StatusResponse extends Infer<typeof StatusResponse> {}

export const RuntimeConfigRequest = message({})
export interface RuntimeConfigRequest extends Infer<typeof RuntimeConfigRequest> {}

export const LinuxRuntimeConfiguration = message({
  cgroupDriver: choice(1, CgroupDriver),
})
export interface LinuxRuntimeConfiguration extends Infer<typeof LinuxRuntimeConfiguration> {}

export const RuntimeConfigResponse = message({
  linux: nested<LinuxRuntimeConfiguration>(1, LinuxRuntimeConfiguration),
})
export interface RuntimeConfigResponse extends Infer<typeof RuntimeConfigResponse> {}
