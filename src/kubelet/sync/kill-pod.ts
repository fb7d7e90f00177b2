import type { Pod } from '../../api/core/v1/pod.js'
import { isCriError } from '../../cri/cri-error.js'
import { containersOf } from '../pods/pod-containers.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { type BegunStops, type KillParts, killContainer } from './kill-container.js'
import { StopOrder } from './stop-order.js'

export interface KillPodOptions {
  /** Seconds. */
  readonly gracePeriod?: number
  readonly begun?: BegunStops
  readonly signal?: AbortSignal
}

/** Stops all containers of a pod, sidecars last, then its sandboxes. Rejects if anything could not be stopped, after all was tried. */
export async function killPod(
  parts: KillParts,
  pod: Pod,
  observed: ObservedPod,
  options: KillPodOptions,
): Promise<void> {
  const running = observed.containers.filter(mayRun)
  const names = running.map(({ name }) => name)
  const order = new StopOrder(pod, names)
  const [podAddress] = observed.sandboxes[0]?.addresses ?? []
  const kill = (target: ObservedContainer) => {
    const { container, fieldPath } = specified(pod, target.name)
    return killContainer(parts, { ...options, pod, container, fieldPath, target, order, podAddress, reason: 'Other' })
  }
  allOrNone(await Promise.allSettled(running.map(kill)))
  allOrNone(await Promise.allSettled(observed.sandboxes.map(({ id }) => stopSandbox(parts, id))))
}

/** One whose state nobody knows may run. */
export function mayRun({ state }: ObservedContainer): boolean {
  return state === 'running' || state === 'unknown'
}

async function stopSandbox({ runtime }: KillParts, podSandboxId: string): Promise<void> {
  try {
    await runtime.stopPodSandbox({ podSandboxId })
  } catch (error) {
    if (!isCriError(error, 'NotFound')) throw error
  }
}

/** A container that the specification does not have any more has nothing to say about how it ends. */
function specified(pod: Pod, name: string) {
  const known = containersOf(pod).find(({ container }) => container.name === name)
  return known ?? { container: { name }, fieldPath: `spec.containers{${name}}` }
}

function allOrNone(results: readonly PromiseSettledResult<void>[]): void {
  const failed = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown)
  if (failed.length === 1) throw failed[0]
  if (failed.length > 1) throw new AggregateError(failed, `${failed.length} parts of the pod could not be stopped`)
}
