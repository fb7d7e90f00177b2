import type { Pod } from '../../api/core/v1/pod.js'
import type { Draft } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { ObservedSandbox } from '../runtime/observed-pod.js'
import { type MountedVolumes, VolumeError } from '../volumes/volumes.js'
import { Later } from './later.js'
import { type NetworkCheck, NetworkNotReady } from './network-check.js'
import type { PodState } from './pod-state.js'
import { stage } from './stages.js'
import type { SyncParts } from './sync-parts.js'

/** Milliseconds before volumes are tried again: at first, and at most. */
const volumeRetry = { initial: 500, max: 122_000 }
const networkRetry = 1000
const cgroupRetry = 10_000

/** The pod's volumes. Rejects with `Later`, after people have been told. */
export async function ensureVolumes(parts: SyncParts, state: PodState, signal: AbortSignal): Promise<MountedVolumes> {
  const { pod } = state
  try {
    const told = (volumes: MountedVolumes) => `${volumes.size} there`
    const work = () => parts.volumes.ensure(pod, signal)
    const volumes = await stage(parts.environment, { name: 'volumes', pod, told }, work)
    state.volumeFailures = 0
    return volumes
  } catch (error) {
    if (!(error instanceof VolumeError) || signal.aborted) throw error
    for (const { message } of [error, ...error.others])
      parts.events.record({ about: pod, type: 'Warning', reason: 'FailedMount', message })
    const delay = Math.min(volumeRetry.initial * 2 ** state.volumeFailures++, volumeRetry.max)
    throw new Later(error.message, delay, { cause: error })
  }
}

/** A pod of the pod network is not begun before there is one. */
export async function passNetwork(parts: SyncParts, network: NetworkCheck, pod: Pod): Promise<void> {
  if (pod.spec.hostNetwork) return
  try {
    await network.pass()
  } catch (error) {
    if (!(error instanceof NetworkNotReady)) throw error
    parts.events.record({ about: pod, type: 'Warning', reason: 'NetworkNotReady', message: error.message })
    throw new Later(error.message, networkRetry, { cause: error })
  }
}

export interface SandboxRequest {
  readonly pod: Pod
  readonly attempt: number
}

/** What the pod's sandbox is made from, and its containers are told: with its place among cgroups. */
export async function sandboxConfig(parts: SyncParts, request: SandboxRequest): Promise<Draft<PodSandboxConfig>> {
  const { pod, attempt } = request
  const cgroupParent = await stage(parts.environment, { name: 'cgroups', pod, told: String }, () =>
    parts.cgroups.ensure(pod),
  ).catch((error) => {
    const message = `unable to ensure pod container exists: ${(error as Error).message}`
    parts.events.record({ about: pod, type: 'Warning', reason: 'FailedCreatePodContainer', message })
    throw new Later(message, cgroupRetry, { cause: error })
  })
  const config = await parts.configs.sandbox(pod, attempt)
  return { ...config, linux: { ...config.linux, cgroupParent } }
}

/** Runs a sandbox, and looks at it: containers learn its address. */
export async function runSandbox(
  parts: SyncParts,
  { pod }: SandboxRequest,
  config: Draft<PodSandboxConfig>,
): Promise<ObservedSandbox> {
  const { runtime, environment, events } = parts
  const run = async () => {
    const runtimeHandler = await parts.runtimeHandler(pod)
    return (await runtime.runPodSandbox({ config, runtimeHandler })).podSandboxId
  }
  const podSandboxId = await stage(environment, { name: 'sandbox', pod, told: String }, run)
  try {
    return await parts.view.sandbox(podSandboxId)
  } catch (error) {
    const message = `Unable to get pod sandbox status: ${(error as Error).message}`
    events.record({ about: pod, type: 'Warning', reason: 'FailedPodSandBoxStatus', message })
    throw error
  }
}
