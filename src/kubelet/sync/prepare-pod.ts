import type { Pod } from '../../api/core/v1/pod.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { ObservedSandbox } from '../runtime/observed-pod.js'
import { type MountedVolumes, VolumeSetupError } from '../volumes/volumes.js'
import { type NetworkCheck, NetworkNotReadyError } from './network-check.js'
import type { PodState } from './pod-state.js'
import { RetryLaterError } from './retry-later-error.js'
import type { SyncDependencies } from './sync-dependencies.js'
import { traceStage } from './trace-stage.js'

/** Milliseconds before volume setup is retried. */
const volumeRetry = { initial: 500, max: 122_000 }
const networkRetry = 1000
const cgroupRetry = 10_000

/** Sets up the volumes of a pod. Records events and rejects with `RetryLaterError` on failure. */
export async function ensureVolumes(
  dependencies: SyncDependencies,
  state: PodState,
  signal: AbortSignal,
): Promise<MountedVolumes> {
  const { pod } = state
  try {
    const describe = (volumes: MountedVolumes) => `${volumes.size} there`
    const work = () => dependencies.volumes.ensure(pod, signal)
    const volumes = await traceStage(dependencies.environment, { name: 'volumes', pod, describe }, work)
    state.volumeFailures = 0
    return volumes
  } catch (error) {
    if (!(error instanceof VolumeSetupError) || signal.aborted) throw error
    for (const { message } of [error, ...error.others])
      dependencies.events.record({ about: pod, type: 'Warning', reason: 'FailedMount', message })
    const delay = Math.min(volumeRetry.initial * 2 ** state.volumeFailures++, volumeRetry.max)
    throw new RetryLaterError(error.message, delay, { cause: error })
  }
}

/** Rejects with `RetryLaterError` while the pod needs a pod network that is not ready. */
export async function ensureNetworkReady(
  dependencies: SyncDependencies,
  network: NetworkCheck,
  pod: Pod,
): Promise<void> {
  if (pod.spec.hostNetwork) return
  try {
    await network.ensureReady()
  } catch (error) {
    if (!(error instanceof NetworkNotReadyError)) throw error
    dependencies.events.record({ about: pod, type: 'Warning', reason: 'NetworkNotReady', message: error.message })
    throw new RetryLaterError(error.message, networkRetry, { cause: error })
  }
}

export interface SandboxRequest {
  readonly pod: Pod
  readonly attempt: number
}

/** Creates the cgroup of the pod and returns the configuration of its sandbox. */
export async function sandboxConfig(
  dependencies: SyncDependencies,
  request: SandboxRequest,
): Promise<PartialMessage<PodSandboxConfig>> {
  const { pod, attempt } = request
  const cgroupParent = await traceStage(dependencies.environment, { name: 'cgroups', pod, describe: String }, () =>
    dependencies.cgroups.ensure(pod),
  ).catch((error) => {
    const message = `unable to ensure pod container exists: ${(error as Error).message}`
    dependencies.events.record({ about: pod, type: 'Warning', reason: 'FailedCreatePodContainer', message })
    throw new RetryLaterError(message, cgroupRetry, { cause: error })
  })
  const config = await dependencies.configs.sandbox(pod, attempt)
  return { ...config, linux: { ...config.linux, cgroupParent } }
}

/** Runs a sandbox and returns its status, with the addresses that containers need. */
export async function runSandbox(
  dependencies: SyncDependencies,
  { pod }: SandboxRequest,
  config: PartialMessage<PodSandboxConfig>,
): Promise<ObservedSandbox> {
  const { runtime, environment, events } = dependencies
  const run = async () => {
    const runtimeHandler = await dependencies.runtimeHandler(pod)
    return (await runtime.runPodSandbox({ config, runtimeHandler })).podSandboxId
  }
  const podSandboxId = await traceStage(environment, { name: 'sandbox', pod, describe: String }, run)
  try {
    return await dependencies.view.sandbox(podSandboxId)
  } catch (error) {
    const message = `Unable to get pod sandbox status: ${(error as Error).message}`
    events.record({ about: pod, type: 'Warning', reason: 'FailedPodSandBoxStatus', message })
    throw error
  }
}
