import type { Environment } from '../../base/environment.js'
import type { Client } from '../../client/client.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { CriImage } from '../../cri/interface/image.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { ContainerError } from '../containers/container-error.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { RegistryCredential } from './credential.js'
import { PullSecretError } from './docker-config.js'
import { ImageAccess } from './image-access.js'
import { ImageEvents } from './image-events.js'
import { type ImageName, ImageNameError, imageName } from './image-name.js'
import type { ImageRequest, Images, PresentImage } from './images.js'
import { matchingCredentials } from './keyring.js'
import { PullBackoff } from './pull-backoff.js'
import { PullSecrets } from './pull-secrets.js'
import { type Pulled, type PullOptions, Pulls, pullErrorText } from './pulls.js'

export interface PodImagesDependencies {
  readonly environment: Environment
  readonly client: Client
  readonly runtime: Pick<ContainerRuntime, 'imageStatus' | 'pullImage' | 'listImages'>
  readonly events: EventRecorder
  readonly identity: Pick<NodeIdentity, 'rootFolder'>
  readonly pulls?: PullOptions | undefined
}

export interface PodImages extends Images {
  /** Removes the access records of images that no longer exist. */
  forgetAllBut(imageIds: ReadonlySet<string>): void
}

export function podImages(dependencies: PodImagesDependencies): PodImages {
  return new PulledImages(dependencies)
}

class PulledImages implements PodImages {
  readonly #dependencies: PodImagesDependencies
  readonly #events: ImageEvents
  readonly #secrets: PullSecrets
  readonly #pulls: Pulls
  readonly #access: ImageAccess
  readonly #backoff: PullBackoff
  #settled: Promise<void> | undefined

  constructor(dependencies: PodImagesDependencies) {
    const { environment, client, events, runtime, identity, pulls } = dependencies
    this.#dependencies = dependencies
    this.#events = new ImageEvents(events)
    this.#secrets = new PullSecrets({ client, events, log: environment.log })
    this.#pulls = new Pulls(runtime, environment.clock, pulls)
    this.#access = new ImageAccess(identity.rootFolder, environment)
    this.#backoff = new PullBackoff(environment)
  }

  forgetAllBut(imageIds: ReadonlySet<string>): void {
    this.#access.prune(imageIds)
  }

  async ensure(request: ImageRequest): Promise<PresentImage> {
    try {
      return await this.#ensured(request)
    } catch (error) {
      if (error instanceof ContainerError) this.#events.recordFailed(request, error.reason)
      throw error
    }
  }

  async #ensured(request: ImageRequest): Promise<PresentImage> {
    const { image = '', imagePullPolicy } = request.container
    const name = this.#nameOf(request)
    await this.#settleOnce()
    const credentials = await this.#credentialsFor(name, request)
    const present = imagePullPolicy === 'Always' ? undefined : await this.#inspect(name, request)
    if (present && this.#access.mayUse(image, present.id, credentials)) {
      this.#events.recordPresent(request)
      return presentImage(present.id, present)
    }
    // Also if the image is present but not accessible, so that the pod does not learn that it exists.
    if (imagePullPolicy === 'Never')
      throw new ContainerError('ErrImageNeverPull', this.#events.recordNeverPull(request))
    const pulled = await this.#pullUnlessBackingOff(request, { name, credentials })
    return presentImage(pulled.ref, pulled.image)
  }

  #nameOf(request: ImageRequest): ImageName {
    try {
      return imageName(request.container.image ?? '')
    } catch (error) {
      if (!(error instanceof ImageNameError)) throw error
      throw new ContainerError('InvalidImageName', this.#events.recordInvalidName(request, error.message), {
        cause: error,
      })
    }
  }

  /** Handles pulls that an earlier kubelet did not finish, before any image is used. */
  #settleOnce(): Promise<void> {
    this.#settled ??= this.#settle().catch((error: unknown) => {
      this.#settled = undefined
      throw new ContainerError('ImageInspectError', pullErrorText(error), { cause: error })
    })
    return this.#settled
  }

  async #settle(): Promise<void> {
    if (!this.#access.hasLeftOvers) return
    const { images } = await this.#dependencies.runtime.listImages({})
    this.#access.settle(images)
  }

  async #credentialsFor(
    { repository }: ImageName,
    { pod, signal }: ImageRequest,
  ): Promise<readonly RegistryCredential[]> {
    try {
      return matchingCredentials(await this.#secrets.of(pod, signal), repository)
    } catch (error) {
      if (!(error instanceof PullSecretError)) throw error
      throw new ContainerError('ErrImagePull', error.message, { cause: error })
    }
  }

  async #inspect(name: ImageName, request: ImageRequest): Promise<CriImage | undefined> {
    const { signal } = request
    try {
      return (await this.#dependencies.runtime.imageStatus({ image: imageSpec(name, request) }, { signal })).image
    } catch (error) {
      signal?.throwIfAborted()
      const problem = error instanceof Error ? error.message : String(error)
      throw new ContainerError('ImageInspectError', this.#events.recordInspectFailed(request, problem), {
        cause: error,
      })
    }
  }

  async #pullUnlessBackingOff(request: ImageRequest, found: PullInput): Promise<Pulled> {
    const key = `${request.pod.metadata.uid}_${request.container.image}`
    const lastError = this.#backoff.lastError(key)
    if (lastError !== undefined)
      throw new ContainerError('ImagePullBackOff', `${this.#events.recordBackOff(request)}: ${lastError}`)
    try {
      const pulled = await this.#pull(request, found)
      this.#backoff.succeeded(key)
      return pulled
    } catch (error) {
      request.signal?.throwIfAborted()
      throw this.#failure(key, request, error)
    }
  }

  async #pull(request: ImageRequest, { name, credentials }: PullInput): Promise<Pulled> {
    const { clock } = this.#dependencies.environment
    const { sandbox, signal, container } = request
    const { image: written = '' } = container
    this.#events.recordPulling(request)
    const startedAt = clock.monotonic()
    this.#access.begin(written)
    try {
      const pulled = await this.#pulls.pull({ image: imageSpec(name, request), credentials, sandbox }, signal)
      this.#access.succeeded(written, pulled.ref, pulled.credential)
      this.#events.recordPulled(request, pulled, clock.monotonic() - startedAt)
      return pulled
    } catch (error) {
      this.#access.failed(written)
      throw error
    }
  }

  #failure(key: string, request: ImageRequest, error: unknown): ContainerError {
    const problem = pullErrorText(error)
    this.#events.recordPullFailed(request, problem)
    const { reason, message } = failureOf(request.container.image ?? '', problem)
    this.#backoff.failed(key, `${reason}: ${message}`)
    return new ContainerError(reason, message, { cause: error })
  }
}

interface PullInput {
  readonly name: ImageName
  readonly credentials: readonly RegistryCredential[]
}

function imageSpec({ image }: ImageName, { pod }: ImageRequest) {
  return { image, annotations: pod.metadata.annotations ?? {} }
}

function presentImage(ref: string, image: CriImage | undefined): PresentImage {
  return { ref, uid: image?.uid?.value, username: image?.username ?? '' }
}

/** Failures that runtimes report by name. */
const namedFailures: ReadonlyMap<string, string> = new Map([
  ['RegistryUnavailable', 'the registry is unavailable'],
  ['SignatureValidationFailed', 'the signature validation failed'],
])

function failureOf(image: string, problem: string): { readonly reason: string; readonly message: string } {
  for (const [reason, words] of namedFailures)
    if (problem.startsWith(reason))
      return { reason, message: `image pull failed for ${image} because ${words}${problem.slice(reason.length)}` }
  return { reason: 'ErrImagePull', message: problem }
}
