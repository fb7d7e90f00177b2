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
  /** Of the event; `Stopping container web` unless told. */
  readonly message?: string | undefined
  /** Seconds; what the pod and its probes say, unless told. */
  readonly gracePeriod?: number
  readonly order?: StopOrder
  readonly podAddress: string | undefined
  readonly progress?: StopProgress
  readonly signal?: AbortSignal
}

/** What was done already for containers that are being stopped: a stop that is hastened does not begin anew. */
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

/** Stops a container as it was promised: its hook first, then its turn, then the rest of its grace period. Resolves when it has ended. */
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
    dependencies.environment.log.warn('a preStop hook failed', {
      container: container.name,
      pod: pod.metadata.name,
      error,
    })
    // What went wrong may hold what nobody should read in an event.
    const failed = { reason: 'FailedPreStopHook', message: 'PreStopHook failed' }
    dependencies.events.record({ about: pod, fieldPath, type: 'Warning', ...failed })
  }
}

/** As long as that; what takes longer is given up, and that is no failure. */
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
    worked.catch(() => {}) // it was given up: what becomes of it matters to nobody
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
