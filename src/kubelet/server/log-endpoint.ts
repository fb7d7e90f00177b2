import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { quote } from '../../schema/quote.js'
import { type LogOptions, LogOptionsError, logOptions } from '../logs/log-options.js'
import { readLog } from '../logs/read-log.js'
import { podContainers } from '../pods/pod-containers.js'
import {
  KubeletServerError,
  type KubeletServerRequest,
  type KubeletServerResponse,
  plainTextResponse,
} from './api-request.js'
import { parseContainerPath, type ServedPods } from './served-pods.js'

export interface LogEndpointDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly pods: ServedPods
}

/** Serves `/containerLogs/NAMESPACE/POD/CONTAINER`. */
export async function logResponse(
  { segments: path, query, signal }: KubeletServerRequest,
  dependencies: LogEndpointDependencies,
): Promise<KubeletServerResponse> {
  const containerPath = parseContainerPath(path)
  if (!containerPath || containerPath.uid !== undefined) throw new KubeletServerError(404, '404: Page Not Found')
  const { namespace, podName, container } = containerPath
  const options = optionsOf(query, dependencies.environment)
  const pod = dependencies.pods.get(namespace, podName)
  if (!pod) throw new KubeletServerError(404, `pod ${quote(podName)} does not exist`)
  if (!podContainers(pod).some((one) => one.container.name === container))
    throw new KubeletServerError(404, `container ${quote(container)} not found in pod ${quote(podName)}`)
  const id = loggedContainer(pod, container, options.previous)
  return { ...plainTextResponse(200, ''), body: text(id, options, signal, dependencies) }
}

function optionsOf(query: URLSearchParams, { clock }: Environment): LogOptions {
  try {
    return logOptions(query, clock)
  } catch (error) {
    throw error instanceof LogOptionsError ? new KubeletServerError(error.code, error.message) : error
  }
}

/** The response has started, so errors become part of its body. */
async function* text(
  id: string,
  options: LogOptions,
  signal: AbortSignal,
  { environment, runtime }: LogEndpointDependencies,
): AsyncIterable<Uint8Array> {
  const containerId = id.slice(id.indexOf('://') + 3)
  const path = await logPath(runtime, containerId)
  if (path === undefined) {
    yield Buffer.from(`unable to retrieve container logs for ${id}`)
    return
  }
  const isRunning = async () => {
    const { status } = await runtime.containerStatus({ containerId })
    return status?.state === 'CONTAINER_RUNNING'
  }
  try {
    yield* readLog({ path, isRunning }, options, { clock: environment.clock, signal })
  } catch (error) {
    if (signal.aborted) return
    environment.log.warn('log read failed', { error, path })
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isGone ? `lstat ${path}: no such file or directory` : (error as Error).message
    yield Buffer.from(`failed to try resolving symlinks in path ${quote(path)}: ${why}`)
  }
}

/** Resolves with undefined if the runtime does not know the container. */
async function logPath(runtime: ContainerRuntime, containerId: string): Promise<string | undefined> {
  try {
    return (await runtime.containerStatus({ containerId })).status?.logPath
  } catch {
    return undefined // the client gets the same message for every error
  }
}

/** Returns the id (`docker://ID`) of the running container, or else of the last exited one. Throws a `KubeletServerError` if there is none. */
function loggedContainer(pod: Pod, name: string, previous: boolean): string {
  const podName = pod.metadata.name ?? ''
  const status = statusesOf(pod).find((one) => one.name === name)
  const whose = `container ${quote(name)} in pod ${quote(podName)}`
  if (!status) throw new KubeletServerError(400, `${whose} is not available`)
  const last = status.lastState?.terminated?.containerID
  if (previous) {
    if (!last) throw new KubeletServerError(400, `previous terminated ${whose} not found`)
    return last
  }
  return currentContainer(status, last, whose)
}

function currentContainer(status: ContainerStatus, last: string | undefined, whose: string): string {
  const { running, terminated, waiting } = status.state ?? {}
  if (running) return status.containerID ?? ''
  const ended = terminated?.containerID || last
  if (ended) return ended
  if (terminated || status.lastState?.terminated) throw new KubeletServerError(400, `${whose} is terminated`)
  if (waiting) throw new KubeletServerError(400, `${whose} is waiting to start: ${waitingWords(waiting.reason ?? '')}`)
  throw new KubeletServerError(400, `${whose} is waiting to start - no logs yet`)
}

function waitingWords(reason: string): string {
  if (reason === 'ErrImagePull') return "image can't be pulled"
  return reason === 'ImagePullBackOff' ? 'trying and failing to pull image' : reason
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = status ?? {}
  return [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses]
}
