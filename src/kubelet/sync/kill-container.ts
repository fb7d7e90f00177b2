import type { LifecycleHandler } from '../../api/core/v1/container/probe.js'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { sleep } from '../../base/clock.js'
import { isCriError } from '../../cri/cri-error.js'
import type { ObservedContainer } from '../runtime/observed-pod.js'
import { containerGracePeriod, shortestStop } from './grace-period.js'
import type { KillReason } from './pod-actions.js'
import type { StopOrder } from './stop-order.js'
import type { SyncDependencies } from './sync-dependencies.js'

export interface KillRequest {
  readonly pod: Pod
  readonly container: Container
  readonly fieldPath: string
  readonly target: Pick<ObservedContainer, 'id'>
  readonly reason: KillReason
  /** Message of the event. Defaults to `Stopping container web`. */
  readonly message?: string | undefined
  /** Seconds. Defaults to the period of the pod or of the failed probe. */
  readonly gracePeriod?: number
  readonly order?: StopOrder
  readonly podAddress: string | undefined
  readonly progress?: StopProgress
  readonly signal?: AbortSignal
}

/** Remembers which steps of a stop are done, so that a stop with a shorter grace period does not repeat them. */
export class StopProgress {
  readonly #done = new Set<string>()

  isFirst(what: 'event' | 'hook', containerId: string): boolean {
    const key = `${what} ${containerId}`
    const isFirst = !this.#done.has(key)
    this.#done.add(key)
    return isFirst
  }
}

export type KillDependencies = Pick<SyncDependencies, 'environment' | 'runtime' | 'events' | 'hooks'>

/**
 * Runs the preStop hook, waits for the stop order, and stops the container within the rest of its grace period. Resolves when it has
 * exited.
 */
export async function killContainer(dependencies: KillDependencies, request: KillRequest): Promise<void> {
  const { pod, container, fieldPath, target, reason, order, signal } = request
  const { clock } = dependencies.environment
  const grace = request.gracePeriod ?? containerGracePeriod(pod, container, reason)
  const message = request.message ?? `Stopping container ${container.name}`
  if (request.progress?.isFirst('event', target.id) ?? true)
    dependencies.events.record({ about: pod, fieldPath, type: 'Normal', reason: 'Killing', message })
  const began = clock.monotonic()
  const left = () => grace - Math.floor((clock.monotonic() - began) / 1000)
  const { preStop } = container.lifecycle ?? {}
  if (preStop && grace > 0) await runPreStop(dependencies, { ...request, preStop }, left())
  if (order?.hasToWait(container.name) && left() > 0)
    await within(dependencies, left(), signal, () => order.whenPrecedingEnded(container.name))
  await stopContainer(dependencies, target.id, Math.max(left(), shortestStop), signal)
  order?.ended(container.name)
}

async function runPreStop(
  dependencies: KillDependencies,
  {
    pod,
    container,
    fieldPath,
    target,
    podAddress,
    progress: begun,
    preStop,
    signal,
  }: KillRequest & { preStop: LifecycleHandler },
  seconds: number,
): Promise<void> {
  if (begun && !begun.isFirst('hook', target.id)) return
  const run = (within: AbortSignal) =>
    dependencies.hooks.run({ pod, container, containerId: target.id, handler: preStop, podAddress, signal: within })
  try {
    await within(dependencies, seconds, signal, run)
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    dependencies.environment.log.warn('preStop hook failed', {
      container: container.name,
      pod: pod.metadata.name,
      error,
    })
    // The error may contain secrets that must not appear in an event.
    const failed = { reason: 'FailedPreStopHook', message: 'PreStopHook failed' }
    dependencies.events.record({ about: pod, fieldPath, type: 'Warning', ...failed })
  }
}

/** Runs `work` for at most so many seconds. A timeout is not an error. */
async function within(
  { environment: { clock } }: KillDependencies,
  seconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const over = new AbortController()
  const both = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  const pause = sleep(clock, seconds * 1000, both).then(
    () => true,
    () => false,
  )
  const worked = work(both).then(() => false)
  try {
    await Promise.race([worked, pause])
    signal?.throwIfAborted()
  } finally {
    over.abort()
    worked.catch(() => {}) // the result no longer matters after the timeout
  }
}

async function stopContainer(
  { runtime }: KillDependencies,
  containerId: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await runtime.stopContainer({ containerId, timeout }, { signal })
  } catch (error) {
    if (!isCriError(error, 'NotFound')) throw error
  }
}
