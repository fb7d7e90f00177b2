import { join } from 'node:path'
import { whenAborted } from '../../base/abort.js'
import { type Clock, sleep, type Timer } from '../../base/clock.js'
import { CriError } from '../cri-error.js'
import type { ContainerConfig, CriContainer, CriContainerState, CriContainerStatus } from '../interface/container.js'
import type { PartialMessage } from '../interface/message.js'
import { LinuxContainerResources } from '../interface/resources.js'
import type { ContainerBehaviour } from './behaviour.js'
import { ContainerLog, type LogStream } from './container-log.js'
import { EventFeed } from './event-feed.js'
import type { SimulatedImage } from './image-store.js'
import type { SimulatedTime } from './simulated-time.js'

export interface ContainerOptions {
  readonly id: string
  readonly sandboxId: string
  readonly config: ContainerConfig
  readonly behaviour: ContainerBehaviour
  readonly image: SimulatedImage
  /** Folder of the pod's logs; undefined to write none. */
  readonly logFolder: string | undefined
  readonly clock: Clock
  readonly time: SimulatedTime
  /** Called when the container exits. */
  readonly onExit: () => void
}

export interface OutputChunk {
  readonly stream: LogStream
  readonly text: string
}

const killedExitCode = 137

/** A container without a process. Its behaviour determines its life cycle. */
export class SimulatedContainer {
  readonly #options: ContainerOptions
  readonly #createdAt: bigint
  readonly #timers = new Set<Timer>()
  readonly #output = new EventFeed<OutputChunk>()
  readonly #ended = new AbortController()
  #log: ContainerLog | undefined
  #state: CriContainerState = 'CONTAINER_CREATED'
  #startedAt = 0n
  #finishedAt = 0n
  #exitCode = 0
  #reason = ''
  #message = ''
  #resources: PartialMessage<LinuxContainerResources> | undefined

  constructor(options: ContainerOptions) {
    this.#options = options
    this.#createdAt = options.time.next()
    this.#resources = options.config.linux?.resources
  }

  get id(): string {
    return this.#options.id
  }

  get sandboxId(): string {
    return this.#options.sandboxId
  }

  get config(): ContainerConfig {
    return this.#options.config
  }

  get behaviour(): ContainerBehaviour {
    return this.#options.behaviour
  }

  get state(): CriContainerState {
    return this.#state
  }

  get running(): boolean {
    return this.#state === 'CONTAINER_RUNNING'
  }

  get startedAt(): bigint {
    return this.#startedAt
  }

  async start(): Promise<void> {
    if (this.#state !== 'CONTAINER_CREATED') throw new CriError('Unknown', `container is in ${this.#state} state`)
    const { startDelay, startError } = this.behaviour
    this.#log = new ContainerLog(this.#logPath)
    if (startDelay !== undefined) await sleep(this.#options.clock, startDelay)
    if (startError !== undefined) {
      this.#message = startError
      this.#end(128, 'StartError')
      throw new CriError('Unknown', startError)
    }
    this.#state = 'CONTAINER_RUNNING'
    this.#startedAt = this.#options.time.next()
    this.#runOutput()
    const { runFor, exitCode = 0, reason } = this.behaviour
    if (runFor !== undefined) this.#later(runFor, () => this.#exit(exitCode, reason))
    this.#killIfTooLarge()
  }

  /** Resolves when the container has exited. Kills it after `grace` milliseconds. */
  async stop(grace: number): Promise<void> {
    if (!this.running) return
    const { stop = {} } = this.behaviour
    const { after = 0, exitCode = 0 } = stop === 'ignore' ? { after: Number.POSITIVE_INFINITY } : stop
    if (grace === 0) return this.#exit(killedExitCode)
    else if (after < grace) this.#later(after, () => this.#exit(exitCode))
    else this.#later(grace, () => this.#exit(killedExitCode))
    await new Promise<void>((resolve) => whenAborted(this.#ended.signal, resolve))
  }

  kill(): void {
    this.#exit(killedExitCode)
  }

  /** Yields output from now until the container exits. */
  listen(signal: AbortSignal): AsyncIterable<OutputChunk> {
    return this.#output.listen(AbortSignal.any([signal, this.#ended.signal]))
  }

  reopenLog(): void {
    if (!this.running) throw new CriError('Unknown', 'container is not running')
    this.#log?.reopen()
  }

  /** Zero values and empty strings keep the current setting. */
  update(resources: LinuxContainerResources): void {
    const changes = Object.entries(resources).filter(
      ([, value]) => typeof value !== 'object' && value !== 0 && value !== '',
    )
    this.#resources = { ...this.#resources, ...Object.fromEntries(changes) }
    this.#killIfTooLarge()
  }

  summary(): PartialMessage<CriContainer> {
    const { id, sandboxId, config, image } = this.#options
    return {
      id,
      podSandboxId: sandboxId,
      metadata: config.metadata,
      image: config.image,
      imageRef: image.id,
      imageId: image.id,
      state: this.#state,
      createdAt: this.#createdAt,
      labels: config.labels,
      annotations: config.annotations,
    }
  }

  status(): PartialMessage<CriContainerStatus> {
    const { id, config, image } = this.#options
    const resources = this.#resources && { linux: LinuxContainerResources.complete(this.#resources) }
    return {
      id,
      metadata: config.metadata,
      state: this.#state,
      createdAt: this.#createdAt,
      startedAt: this.#startedAt,
      finishedAt: this.#finishedAt,
      exitCode: this.#exitCode,
      image: { ...config.image, image: image.tags[0] ?? image.digests[0] ?? config.image?.image },
      imageRef: image.digests[0] ?? image.id,
      imageId: image.id,
      reason: this.#reason,
      message: this.#message,
      labels: config.labels,
      annotations: config.annotations,
      mounts: config.mounts,
      logPath: this.#logPath ?? '',
      resources,
      stopSignal: config.stopSignal,
    }
  }

  get #logPath(): string | undefined {
    const { logFolder, config } = this.#options
    return logFolder && config.logPath ? join(logFolder, config.logPath) : undefined
  }

  #runOutput(): void {
    for (const { text = '', stream = 'stdout', after = 0, every } of this.behaviour.output ?? []) {
      const print = () => {
        const line = text.endsWith('\n') ? text : `${text}\n`
        this.#log?.write(this.#options.time.next(), stream, line)
        this.#output.publish({ stream, text: line })
        if (every !== undefined) this.#later(every, print)
      }
      if (after === 0) print()
      else this.#later(after, print)
    }
  }

  #killIfTooLarge(): void {
    const limit = this.#resources?.memoryLimitInBytes ?? 0
    const { memory = 0 } = this.behaviour.usage ?? {}
    if (this.running && limit > 0 && memory > limit) this.#exit(killedExitCode, 'OOMKilled')
  }

  #later(delay: number, run: () => void): void {
    const timer = this.#options.clock.timer(delay, () => {
      this.#timers.delete(timer)
      run()
    })
    this.#timers.add(timer)
  }

  #exit(code: number, reason = code === 0 ? 'Completed' : 'Error'): void {
    if (this.running) this.#end(code, reason)
  }

  #end(code: number, reason: string): void {
    this.#state = 'CONTAINER_EXITED'
    this.#exitCode = code
    this.#reason = reason
    this.#finishedAt = this.#options.time.next()
    for (const timer of this.#timers) timer.cancel()
    this.#timers.clear()
    this.#ended.abort()
    this.#options.onExit()
  }
}
