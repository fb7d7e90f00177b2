import type { LifecycleHandler } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** Runs postStart and preStop hooks. Rejects with a `HookError` if the hook fails. Implemented by `container-hooks.ts`. */
export interface Hooks {
  run(hook: HookRequest): Promise<void>
}

export interface HookRequest {
  readonly pod: Pod
  readonly container: Container
  readonly containerId: string
  readonly handler: LifecycleHandler
  /** Address of the sandbox, for HTTP hooks. */
  readonly podAddress: string | undefined
  readonly signal?: AbortSignal
}

/** A hook failed. The message is for the log: the event contains less. */
export class HookError extends Error {
  override readonly name = 'HookError'
}
