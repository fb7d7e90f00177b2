import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Pod } from '../../api/core/v1/pod.js'
import { CriError } from '../../cri/cri-error.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import { quote } from '../../schema/quote.js'
import { ContainerError } from '../containers/container-error.js'
import type { PresentImage } from '../images/images.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { PodContainer } from '../pods/pod-containers.js'
import { podLogsFolder } from '../pods/pod-folders.js'
import { newest, type ObservedPod } from '../runtime/observed-pod.js'
import type { MountedVolumes } from '../volumes/volumes.js'
import { killContainer } from './kill-container.js'
import type { SyncDependencies } from './sync-dependencies.js'
import { traceStage } from './trace-stage.js'

/** What the starts of all containers of one sync share. */
export interface ContainerStartContext {
  readonly pod: Pod
  readonly observed: ObservedPod
  readonly sandboxId: string
  readonly sandbox: PartialMessage<PodSandboxConfig>
  readonly volumes: MountedVolumes
  /** The addresses that the status will show. */
  readonly podAddresses: readonly string[]
  /** Aborted when the pod must terminate. No further step begins then. */
  readonly signal: AbortSignal
}

/**
 * Pulls the image, creates and starts the container, and waits for its postStart hook. Records events and rejects with a `ContainerError`
 * on failure.
 */
export function startContainer(
  dependencies: SyncDependencies,
  context: ContainerStartContext,
  one: PodContainer,
): Promise<void> {
  return new ContainerStart(dependencies, context, one).run()
}

class ContainerStart {
  readonly #dependencies: SyncDependencies
  readonly #context: ContainerStartContext
  readonly #one: PodContainer

  constructor(dependencies: SyncDependencies, context: ContainerStartContext, one: PodContainer) {
    this.#dependencies = dependencies
    this.#context = context
    this.#one = one
  }

  async run(): Promise<void> {
    const { signal } = this.#context
    const image = await this.#stage('image', 'ErrImagePull', () => this.#image())
    signal.throwIfAborted()
    const config = await this.#stage('configure', 'CreateContainerConfigError', () => this.#config(image))
    signal.throwIfAborted()
    const { sandboxId: podSandboxId, sandbox: sandboxConfig } = this.#context
    const { containerId } = await this.#stage('create', 'CreateContainerError', () =>
      this.#dependencies.runtime.createContainer({ podSandboxId, config, sandboxConfig }),
    )
    this.#recordEvent('Normal', 'Created', 'Container created')
    await this.#stage('start', 'RunContainerError', () => this.#dependencies.runtime.startContainer({ containerId }))
    this.#recordEvent('Normal', 'Started', 'Container started')
    await this.#runPostStart(containerId)
  }

  #image(): Promise<PresentImage> {
    const { pod, sandbox, signal } = this.#context
    const { container, fieldPath } = this.#one
    return this.#dependencies.images.ensure({ pod, container, sandbox, fieldPath, signal })
  }

  async #config(image: PresentImage) {
    const { pod, volumes, podAddresses } = this.#context
    const { container } = this.#one
    const restartCount = this.#restartCount()
    const targetId = this.#targetId()
    return this.#dependencies.configs.container({
      pod,
      container,
      restartCount,
      image,
      volumes,
      podAddresses,
      targetId,
    })
  }

  /** Returns the id of the container whose processes an ephemeral container targets. */
  #targetId(): string | undefined {
    const { pod, observed } = this.#context
    const { name } = this.#one.container
    const { targetContainerName } = pod.spec.ephemeralContainers?.find((one) => one.name === name) ?? {}
    if (!targetContainerName) return undefined
    const target = newest(observed, targetContainerName)
    if (target?.state === 'running') return target.id
    throw new ContainerError(
      'CreateContainerConfigError',
      `unable to find target container ${quote(targetContainerName)}`,
    )
  }

  #restartCount(): number {
    const { pod, observed } = this.#context
    const { name } = this.#one.container
    const last = newest(observed, name)
    if (!last) return restartCountFromLogs(this.#dependencies.identity, pod, name)
    // A container that never started does not count.
    return last.state === 'created' ? last.restartCount : last.restartCount + 1
  }

  /** Stops the container if its hook fails. */
  async #runPostStart(containerId: string): Promise<void> {
    const { pod, podAddresses, signal } = this.#context
    const { container, fieldPath } = this.#one
    const handler = container.lifecycle?.postStart
    if (!handler) return
    const [podAddress] = podAddresses
    try {
      await this.#dependencies.hooks.run({ pod, container, containerId, handler, podAddress, signal })
    } catch (error) {
      signal.throwIfAborted()
      const { log } = this.#dependencies.environment
      log.warn('postStart hook failed', { container: container.name, pod: pod.metadata.name, error })
      // The error may contain secrets that must not appear in an event.
      this.#recordEvent('Warning', 'FailedPostStartHook', 'PostStartHook failed')
      const kill = { reason: 'FailedPostStartHook', message: 'FailedPostStartHook' } as const
      const target = { id: containerId }
      await killContainer(this.#dependencies, { pod, container, fieldPath, target, podAddress, signal, ...kill })
      throw new ContainerError('PostStartHookError', 'PostStartHook failed', { cause: error })
    }
  }

  #stage<T>(name: string, reason: string, work: () => Promise<T>): Promise<T> {
    const { pod } = this.#context
    const stage = { name: `${name} ${this.#one.container.name}`, pod }
    return traceStage(this.#dependencies.environment, stage, work).catch((error) => {
      throw this.#toContainerError(error, reason)
    })
  }

  /** Converts an error to the waiting reason of the container, and records an event. Returns the abort reason if the pod terminates. */
  #toContainerError(error: unknown, reason: string): unknown {
    const { signal } = this.#context
    if (signal.aborted) return signal.reason
    const known =
      error instanceof ContainerError ? error : new ContainerError(reason, describe(error), { cause: error })
    // The image service has recorded events already.
    if (reason !== 'ErrImagePull') this.#recordEvent('Warning', 'Failed', `Error: ${known.message}`)
    return known
  }

  #recordEvent(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const { fieldPath } = this.#one
    this.#dependencies.events.record({ about: this.#context.pod, fieldPath, type, reason, message })
  }
}

function describe(error: unknown): string {
  return error instanceof CriError ? error.description : (error as Error).message
}

/**
 * Derives the restart count from the logs on disk. The runtime may have lost the container (a reboot), and a new one must not write to an
 * old log.
 */
function restartCountFromLogs(identity: NodeIdentity, pod: Pod, containerName: string): number {
  const numbers = filesIn(join(podLogsFolder(identity, pod), containerName)).flatMap((file) => {
    const match = /^(\d+)\.log/.exec(file)
    return match ? [Number(match[1])] : []
  })
  return numbers.length === 0 ? 0 : Math.max(...numbers) + 1
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
