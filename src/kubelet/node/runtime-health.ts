import type { NodeFeatures, NodeRuntimeHandler } from '../../api/core/v1/node/status.js'
import type { Environment } from '../../base/environment.js'
import type { CriImage } from '../../cri/interface/image.js'
import type { RuntimeCondition, StatusResponse, VersionResponse } from '../../cri/interface/runtime.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { sameJson } from '../../schema/json-value.js'

/** Upstream's values in milliseconds: after which a silent runtime counts as down, and for how long the image list is cached. */
const downAfter = 30_000
const imagesFor = 30_000

export interface RuntimeHealthDependencies {
  readonly environment: Environment
  readonly runtime: Pick<ContainerRuntime, 'status' | 'version' | 'listImages' | 'imageFsInfo'>
}

/** The last known status of the runtime. Reading it never waits for the runtime. */
export class RuntimeHealth {
  readonly #dependencies: RuntimeHealthDependencies
  #status: StatusResponse | undefined
  #version: VersionResponse | undefined
  #images: readonly CriImage[] = []
  #imageFolder: string | undefined
  /** When the runtime was last ready, and when images were last listed, on the monotonic clock. */
  #readyAt: number | undefined
  #listedAt = Number.NEGATIVE_INFINITY

  constructor(dependencies: RuntimeHealthDependencies) {
    this.#dependencies = dependencies
  }

  /** Requests the status. Never rejects: an error makes the runtime unhealthy. */
  async check(signal?: AbortSignal): Promise<void> {
    const { environment, runtime } = this.#dependencies
    try {
      const status = await runtime.status({}, { signal })
      if (!sameJson(status, this.#status)) this.#status = status
      this.#version ??= await runtime.version({}, { signal })
      if (this.#condition('RuntimeReady')?.status) this.#readyAt = environment.clock.monotonic()
      await this.#listImages(signal)
    } catch (error) {
      if (signal?.aborted) return
      this.#version = undefined // the version may have changed when the runtime returns
      environment.log.warn('container runtime unavailable', { error })
    }
  }

  /** Reasons why no container can start. */
  get runtimeProblems(): readonly string[] {
    const problems: string[] = []
    if (this.#readyAt === undefined) problems.push('container runtime status check may not have completed yet')
    else if (this.#now - this.#readyAt >= downAfter) problems.push('container runtime is down')
    const condition = this.#condition('RuntimeReady')
    if (this.#status && !condition?.status) problems.push(`container runtime not ready: ${textOf(condition)}`)
    return problems
  }

  /** Why pods get no network, or undefined. */
  get networkProblem(): string | undefined {
    if (!this.#status) return 'network state unknown'
    const condition = this.#condition('NetworkReady')
    return condition?.status ? undefined : `container runtime network not ready: ${textOf(condition)}`
  }

  get problems(): readonly string[] {
    const network = this.networkProblem
    return network === undefined ? this.runtimeProblems : [...this.runtimeProblems, network]
  }

  /** The same object for as long as the runtime reports the same. */
  get runtimeStatus(): StatusResponse | undefined {
    return this.#status
  }

  /** `containerd://1.6.20`, or undefined until the runtime reports it. */
  get version(): string | undefined {
    return this.#version && `${this.#version.runtimeName}://${this.#version.runtimeVersion}`
  }

  /** Largest first. The same list for as long as the runtime has the same images. */
  get images(): readonly CriImage[] {
    return this.#images
  }

  /** Folder of the images, or undefined until the runtime reports it. */
  get imageFolder(): string | undefined {
    return this.#imageFolder
  }

  get handlers(): readonly NodeRuntimeHandler[] {
    return (this.#status?.runtimeHandlers ?? []).map(({ name, features }) => {
      if (!features) return { name }
      const { recursiveReadOnlyMounts, userNamespaces } = features
      return { name, features: { recursiveReadOnlyMounts, userNamespaces } }
    })
  }

  get features(): NodeFeatures | undefined {
    const features = this.#status?.features
    return features && { supplementalGroupsPolicy: features.supplementalGroupsPolicy }
  }

  async #listImages(signal: AbortSignal | undefined): Promise<void> {
    if (this.#now - this.#listedAt < imagesFor) return
    const { runtime } = this.#dependencies
    const [{ images }, { imageFilesystems }] = await Promise.all([
      runtime.listImages({}, { signal }),
      runtime.imageFsInfo({}, { signal }),
    ])
    const sorted = images.toSorted((one, other) => other.size - one.size)
    if (!sameJson(sorted, this.#images)) this.#images = sorted
    this.#imageFolder = imageFilesystems[0]?.fsId?.mountpoint || undefined
    this.#listedAt = this.#now
  }

  #condition(type: string): RuntimeCondition | undefined {
    return this.#status?.status?.conditions.find((condition) => condition.type === type)
  }

  get #now(): number {
    return this.#dependencies.environment.clock.monotonic()
  }
}

function textOf(condition: RuntimeCondition | undefined): string {
  if (!condition) return '<nil>'
  const { type, status, reason, message } = condition
  return `${type}=${status} reason:${reason} message:${message}`
}
