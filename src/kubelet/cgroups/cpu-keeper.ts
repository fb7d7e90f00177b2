import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { containerNameLabel, podUidLabel } from '../runtime/labels.js'
import type { CpuManager, PodOnCpus } from './cpu-manager.js'

export interface CpuKeeperParts {
  readonly environment: Pick<Environment, 'clock' | 'log'>
  readonly runtime: Pick<ContainerRuntime, 'listContainers'>
  readonly cpus: Pick<CpuManager, 'onChange' | 'reconcile' | 'retain'>
  /** Pods that were let in and have not ended: what they have they keep, whether or not anything of them runs. */
  readonly activePods: () => Iterable<string>
  /** Milliseconds (`--cpu-manager-reconcile-period`). */
  readonly period?: number
}

const usualPeriod = 10_000

/**
 * Sees to it that what runs is on the cores that it is to use: at once when cores are handed out or given back, and now and then, so
 * that what somebody else moved comes back. Frees the cores of pods that have ended. Resolves when the signal is aborted.
 */
export async function keepCpus(parts: CpuKeeperParts, signal: AbortSignal): Promise<void> {
  const { environment, cpus, period = usualPeriod } = parts
  let pause = new AbortController()
  const stopListening = cpus.onChange(() => pause.abort())
  while (!signal.aborted) {
    // What changes from now on is looked at in the next round, which then comes at once.
    pause = new AbortController()
    await keepOnce(parts).catch((error: unknown) =>
      environment.log.warn('containers could not be moved to their cores', { error }),
    )
    await sleep(environment.clock, period, AbortSignal.any([signal, pause.signal])).catch(() => {})
  }
  stopListening()
}

async function keepOnce({ runtime, cpus, activePods }: CpuKeeperParts): Promise<void> {
  const running = await runningPods(runtime)
  await cpus.retain(new Set([...activePods(), ...running.map(({ uid }) => uid)]))
  await cpus.reconcile(running)
}

async function runningPods(runtime: CpuKeeperParts['runtime']): Promise<readonly PodOnCpus[]> {
  const { containers } = await runtime.listContainers({ filter: { state: { state: 'CONTAINER_RUNNING' } } })
  return containers.flatMap(({ id, labels }) => {
    const { [podUidLabel]: uid, [containerNameLabel]: name } = labels
    return uid === undefined || name === undefined
      ? []
      : [{ uid, containers: [{ id, name, state: 'running' as const }] }]
  })
}
