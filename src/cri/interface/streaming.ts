/** Ways into a running container. */
import { bytes, integer, integers, text, texts, truth } from './fields.js'
import { type Infer, message } from './message.js'

export const ExecSyncRequest = message({
  containerId: text(1),
  cmd: texts(2),
  timeout: integer(3),
})
export interface ExecSyncRequest extends Infer<typeof ExecSyncRequest> {}

export const ExecSyncResponse = message({
  stdout: bytes(1),
  stderr: bytes(2),
  exitCode: integer(3),
})
export interface ExecSyncResponse extends Infer<typeof ExecSyncResponse> {}

export const ExecRequest = message({
  containerId: text(1),
  cmd: texts(2),
  tty: truth(3),
  stdin: truth(4),
  stdout: truth(5),
  stderr: truth(6),
})
export interface ExecRequest extends Infer<typeof ExecRequest> {}

export const ExecResponse = message({
  url: text(1),
})
export interface ExecResponse extends Infer<typeof ExecResponse> {}

export const AttachRequest = message({
  containerId: text(1),
  stdin: truth(2),
  tty: truth(3),
  stdout: truth(4),
  stderr: truth(5),
})
export interface AttachRequest extends Infer<typeof AttachRequest> {}

export const AttachResponse = message({
  url: text(1),
})
export interface AttachResponse extends Infer<typeof AttachResponse> {}

export const PortForwardRequest = message({
  podSandboxId: text(1),
  port: integers(2),
})
export interface PortForwardRequest extends Infer<typeof PortForwardRequest> {}

export const PortForwardResponse = message({
  url: text(1),
})
export interface PortForwardResponse extends Infer<typeof PortForwardResponse> {}
