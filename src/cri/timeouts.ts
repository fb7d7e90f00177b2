import type { StopContainerRequest } from './interface/container.js'
import type { PartialMessage } from './interface/message.js'
import type { ExecSyncRequest } from './interface/streaming.js'

/** The kubelet's default, in milliseconds. */
export const defaultTimeout = 120_000

type TimeoutRule = (base: number, request: never) => number

/** Only the caller's signal ends the call. */
const unlimited = 0

/** Timeouts in milliseconds, equal to the kubelet's. */
const rules: Readonly<Record<string, TimeoutRule>> = {
  // The network of a sandbox takes time to set up.
  RunPodSandbox: (base) => 2 * base,
  // The runtime gets the base timeout in addition to the container's grace period.
  StopContainer: (base, { timeout = 0 }: PartialMessage<StopContainerRequest>) => base + timeout * 1000,
  ExecSync: (base, { timeout = 0 }: PartialMessage<ExecSyncRequest>) =>
    timeout > 0 ? base + timeout * 1000 : unlimited,
  // The duration of a pull depends on the size of the image.
  PullImage: () => unlimited,
  CheckpointContainer: (base, { timeout = 0 }: { timeout?: number }) => base + timeout * 1000,
}

/** Returns the timeout of a call whose caller gives none. */
export function callTimeout(method: string, request: unknown, base: number): number {
  return rules[method]?.(base, request as never) ?? base
}
