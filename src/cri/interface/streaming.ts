/** Exec, attach and port-forward. */
import { boolField, bytesField, intField, intListField, stringField, stringListField } from './fields.js'
import { type InferMessage, message } from './message.js'

export const ExecSyncRequest = message({
  containerId: stringField(1),
  cmd: stringListField(2),
  timeout: intField(3),
})
export interface ExecSyncRequest extends InferMessage<typeof ExecSyncRequest> {}

export const ExecSyncResponse = message({
  stdout: bytesField(1),
  stderr: bytesField(2),
  exitCode: intField(3),
})
export interface ExecSyncResponse extends InferMessage<typeof ExecSyncResponse> {}

export const ExecRequest = message({
  containerId: stringField(1),
  cmd: stringListField(2),
  tty: boolField(3),
  stdin: boolField(4),
  stdout: boolField(5),
  stderr: boolField(6),
})
export interface ExecRequest extends InferMessage<typeof ExecRequest> {}

export const ExecResponse = message({
  url: stringField(1),
})
export interface ExecResponse extends InferMessage<typeof ExecResponse> {}

export const AttachRequest = message({
  containerId: stringField(1),
  stdin: boolField(2),
  tty: boolField(3),
  stdout: boolField(4),
  stderr: boolField(5),
})
export interface AttachRequest extends InferMessage<typeof AttachRequest> {}

export const AttachResponse = message({
  url: stringField(1),
})
export interface AttachResponse extends InferMessage<typeof AttachResponse> {}

export const PortForwardRequest = message({
  podSandboxId: stringField(1),
  port: intListField(2),
})
export interface PortForwardRequest extends InferMessage<typeof PortForwardRequest> {}

export const PortForwardResponse = message({
  url: stringField(1),
})
export interface PortForwardResponse extends InferMessage<typeof PortForwardResponse> {}
