import type { StopContainerRequest } from './interface/container.js'
import type { PartialMessage } from './interface/message.js'
import type { ExecSyncRequest } from './interface/streaming.js'

/** Two minutes, as the kubelet has it. */
export const defaultTimeout = 120_000

type Rule = (usual: number, request: never) => number

/** No limit but the caller's signal. */
const unlimited = 0

/** In milliseconds, as the kubelet has them. */
const rules: Readonly<Record<string, Rule>> = {
  // Networks are slow to come.
  RunPodSandbox: (usual) => 2 * usual,
  // The container has its grace period, and after it the runtime has its time.
  StopContainer: (usual, { timeout = 0 }: PartialMessage<StopContainerRequest>) => usual + timeout * 1000,
  ExecSync: (usual, { timeout = 0 }: PartialMessage<ExecSyncRequest>) =>
    timeout > 0 ? usual + timeout * 1000 : unlimited,
  // How long a pull takes, the size of the image decides.
  PullImage: () => unlimited,
  CheckpointContainer: (usual, { timeout = 0 }: { timeout?: number }) => usual + timeout * 1000,
}

/** How long a call may take when its caller does not say. */
export function callTimeout(method: string, request: unknown, usual: number): number {
  return rules[method]?.(usual, request as never) ?? usual
}
