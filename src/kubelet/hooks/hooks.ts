import type { LifecycleHandler } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** Runs postStart and preStop hooks: exec, HTTP, sleep. Rejects with a `HookError` when the hook failed. `container-hooks.ts` makes them. */
export interface Hooks {
  run(hook: HookRequest): Promise<void>
}

export interface HookRequest {
  readonly pod: Pod
  readonly container: Container
  readonly containerId: string
  readonly handler: LifecycleHandler
  /** Of the sandbox: HTTP hooks go there. */
  readonly podAddress: string | undefined
  readonly signal?: AbortSignal
}

/** A hook failed. The message is what the kubelet's log says; people see the event, which tells less. */
export class HookError extends Error {
  override readonly name = 'HookError'
}
