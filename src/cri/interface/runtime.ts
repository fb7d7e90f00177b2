/** The runtime itself. */
import { boolField, enumField, messageField, messageListField, stringField, stringMapField } from './fields.js'
import { type InferMessage, message } from './message.js'

export const CgroupDriver = ['SYSTEMD', 'CGROUPFS'] as const
export type CgroupDriver = (typeof CgroupDriver)[number]

export const VersionRequest = message({
  version: stringField(1),
})
export interface VersionRequest extends InferMessage<typeof VersionRequest> {}

export const VersionResponse = message({
  version: stringField(1),
  runtimeName: stringField(2),
  runtimeVersion: stringField(3),
  runtimeApiVersion: stringField(4),
})
export interface VersionResponse extends InferMessage<typeof VersionResponse> {}

export const NetworkConfig = message({
  podCidr: stringField(1),
})
export interface NetworkConfig extends InferMessage<typeof NetworkConfig> {}

export const RuntimeConfig = message({
  networkConfig: messageField<NetworkConfig>(1, NetworkConfig),
})
export interface RuntimeConfig extends InferMessage<typeof RuntimeConfig> {}

export const UpdateRuntimeConfigRequest = message({
  runtimeConfig: messageField<RuntimeConfig>(1, RuntimeConfig),
})
export interface UpdateRuntimeConfigRequest extends InferMessage<typeof UpdateRuntimeConfigRequest> {}

export const UpdateRuntimeConfigResponse = message({})
export interface UpdateRuntimeConfigResponse extends InferMessage<typeof UpdateRuntimeConfigResponse> {}

export const RuntimeCondition = message({
  type: stringField(1),
  status: boolField(2),
  reason: stringField(3),
  message: stringField(4),
})
export interface RuntimeCondition extends InferMessage<typeof RuntimeCondition> {}

export const RuntimeStatus = message({
  conditions: messageListField<RuntimeCondition>(1, RuntimeCondition),
})
export interface RuntimeStatus extends InferMessage<typeof RuntimeStatus> {}

export const StatusRequest = message({
  verbose: boolField(1),
})
export interface StatusRequest extends InferMessage<typeof StatusRequest> {}

export const RuntimeHandlerFeatures = message({
  recursiveReadOnlyMounts: boolField(1),
  userNamespaces: boolField(2),
})
export interface RuntimeHandlerFeatures extends InferMessage<typeof RuntimeHandlerFeatures> {}

export const RuntimeHandler = message({
  name: stringField(1),
  features: messageField<RuntimeHandlerFeatures>(2, RuntimeHandlerFeatures),
})
export interface RuntimeHandler extends InferMessage<typeof RuntimeHandler> {}

export const RuntimeFeatures = message({
  supplementalGroupsPolicy: boolField(1),
  userNamespacesHostNetwork: boolField(2),
})
export interface RuntimeFeatures extends InferMessage<typeof RuntimeFeatures> {}

export const StatusResponse = message({
  status: messageField<RuntimeStatus>(1, RuntimeStatus),
  info: stringMapField(2),
  runtimeHandlers: messageListField<RuntimeHandler>(3, RuntimeHandler),
  features: messageField<RuntimeFeatures>(4, RuntimeFeatures),
})
export interface StatusResponse extends InferMessage<typeof StatusResponse> {}

export const RuntimeConfigRequest = message({})
export interface RuntimeConfigRequest extends InferMessage<typeof RuntimeConfigRequest> {}

export const LinuxRuntimeConfiguration = message({
  cgroupDriver: enumField(1, CgroupDriver),
})
export interface LinuxRuntimeConfiguration extends InferMessage<typeof LinuxRuntimeConfiguration> {}

export const RuntimeConfigResponse = message({
  linux: messageField<LinuxRuntimeConfiguration>(1, LinuxRuntimeConfiguration),
})
export interface RuntimeConfigResponse extends InferMessage<typeof RuntimeConfigResponse> {}
