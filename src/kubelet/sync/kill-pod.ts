import type { Pod } from '../../api/core/v1/pod.js'
import { isCriError } from '../../cri/cri-error.js'
import { podContainers } from '../pods/pod-containers.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { type KillDependencies, killContainer, type StopProgress } from './kill-container.js'
import { StopOrder } from './stop-order.js'

export interface KillPodOptions {
  /** Seconds. */
  readonly gracePeriod?: number
  readonly progress?: StopProgress
  readonly signal?: AbortSignal
}

/** Stops all containers of a pod, sidecars last, then its sandboxes. Tries everything, then rejects if anything failed. */
export async function killPod(
  dependencies: KillDependencies,
  pod: Pod,
  observed: ObservedPod,
  options: KillPodOptions,
): Promise<void> {
  const running = observed.containers.filter(mayBeRunning)
  const names = running.map(({ name }) => name)
  const order = new StopOrder(pod, names)
  const [podAddress] = observed.sandboxes[0]?.addresses ?? []
  const kill = (target: ObservedContainer) => {
    const { container, fieldPath } = containerSpec(pod, target.name)
    return killContainer(dependencies, {
      ...options,
      pod,
      container,
      fieldPath,
      target,
      order,
      podAddress,
      reason: 'Other',
    })
  }
  throwFailures(await Promise.allSettled(running.map(kill)))
  throwFailures(await Promise.allSettled(observed.sandboxes.map(({ id }) => stopSandbox(dependencies, id))))
}

/** A container in the unknown state may be running. */
export function mayBeRunning({ state }: ObservedContainer): boolean {
  return state === 'running' || state === 'unknown'
}

async function stopSandbox({ runtime }: KillDependencies, podSandboxId: string): Promise<void> {
  try {
    await runtime.stopPodSandbox({ podSandboxId })
  } catch (error) {
    if (!isCriError(error, 'NotFound')) throw error
  }
}

/** Returns the container of the specification, or a minimal one if the specification no longer has it. */
function containerSpec(pod: Pod, name: string) {
  const known = podContainers(pod).find(({ container }) => container.name === name)
  return known ?? { container: { name }, fieldPath: `spec.containers{${name}}` }
}

function throwFailures(results: readonly PromiseSettledResult<void>[]): void {
  const failed = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown)
  if (failed.length === 1) throw failed[0]
  if (failed.length > 1) throw new AggregateError(failed, `${failed.length} parts of the pod could not be stopped`)
}
