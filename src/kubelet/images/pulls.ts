import { unlessAborted, whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'
import { TokenBucket } from '../../base/token-bucket.js'
import { CriError } from '../../cri/cri-error.js'
import type { CriImage, ImageSpec } from '../../cri/interface/image.js'
import type { PartialMessage } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { RegistryCredential } from './credential.js'
import { Semaphore } from './semaphore.js'

export interface PullOptions {
  /** Maximum concurrent pulls. Defaults to 1, as upstream. */
  readonly atOnce?: number | undefined
  /** Pulls per second, and the burst. Default to 5 and 10; 0 for no limit. */
  readonly perSecond?: number | undefined
  readonly burst?: number | undefined
}

export interface PullRequest {
  readonly image: PartialMessage<ImageSpec> & { readonly image: string }
  /** Tried one after the other. If empty, the pull is anonymous. */
  readonly credentials: readonly RegistryCredential[]
  readonly sandbox: PartialMessage<PodSandboxConfig>
}

export interface Pulled {
  readonly ref: string
  /** The pulled image. Undefined if the runtime does not know it by the pulled name. */
  readonly image: CriImage | undefined
  /** The credential that worked. */
  readonly credential: RegistryCredential | undefined
  /** Milliseconds without the wait in the queue. */
  readonly duration: number
}

/** The image pulls of a node. Limits concurrency, and shares one pull among callers with the same image and credentials. */
export class Pulls {
  readonly #runtime: Pick<ContainerRuntime, 'pullImage' | 'imageStatus'>
  readonly #clock: Clock
  readonly #semaphore: Semaphore
  readonly #rate: TokenBucket | undefined
  readonly #inProgress = new Map<string, SharedPull>()

  constructor(runtime: Pick<ContainerRuntime, 'pullImage' | 'imageStatus'>, clock: Clock, options: PullOptions = {}) {
    const { atOnce = 1, perSecond = 5, burst = 10 } = options
    this.#runtime = runtime
    this.#clock = clock
    this.#semaphore = new Semaphore(atOnce)
    this.#rate = perSecond > 0 ? new TokenBucket(clock, { rate: perSecond, burst }) : undefined
  }

  /** Rejects with the runtime's error. A pull is aborted when all its callers have aborted. */
  pull(request: PullRequest, signal: AbortSignal | undefined): Promise<Pulled> {
    const key = JSON.stringify([request.image.image, ...request.credentials.map(({ hash }) => hash)])
    const shared = this.#inProgress.get(key) ?? this.#begin(key, request)
    return shared.join(signal)
  }

  #begin(key: string, request: PullRequest): SharedPull {
    const ended = () => {
      if (this.#inProgress.get(key) === shared) this.#inProgress.delete(key)
    }
    const shared = new SharedPull((aborting) => this.#pullWithLimits(request, aborting), ended)
    this.#inProgress.set(key, shared)
    return shared
  }

  async #pullWithLimits(request: PullRequest, signal: AbortSignal): Promise<Pulled> {
    const release = await this.#semaphore.acquire(signal)
    try {
      await this.#rate?.take(signal)
      return await this.#pullNow(request, signal)
    } finally {
      release()
    }
  }

  async #pullNow(request: PullRequest, signal: AbortSignal): Promise<Pulled> {
    const startedAt = this.#clock.monotonic()
    const { ref, credential } = await this.#pullWithAny(request, signal)
    const { image } = await this.#runtime.imageStatus({ image: request.image }, { signal })
    return { ref, image, credential, duration: this.#clock.monotonic() - startedAt }
  }

  async #pullWithAny({ image, credentials, sandbox }: PullRequest, signal: AbortSignal) {
    if (credentials.length === 0) {
      const { imageRef } = await this.#runtime.pullImage({ image, sandboxConfig: sandbox }, { signal })
      return { ref: imageRef, credential: undefined }
    }
    const errors: unknown[] = []
    for (const credential of credentials) {
      const { username, password } = credential
      const request = { image, auth: { username, password }, sandboxConfig: sandbox }
      try {
        const { imageRef } = await this.#runtime.pullImage(request, { signal })
        return { ref: imageRef, credential }
      } catch (error) {
        signal.throwIfAborted()
        errors.push(error)
      }
    }
    throw new PullError(errors)
  }
}

/** All credentials failed. */
class PullError extends Error {
  override readonly name = 'PullError'

  constructor(errors: readonly unknown[]) {
    const texts = [...new Set(errors.map(pullErrorText))]
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`, { cause: errors[0] })
  }
}

/** Returns the runtime's message, without a code that says nothing. */
export function pullErrorText(error: unknown): string {
  if (error instanceof CriError && error.code === 'Unknown') return error.description
  return error instanceof Error ? error.message : String(error)
}

/** One pull for several callers. It runs while any of them waits. */
class SharedPull {
  readonly #pulled: Promise<Pulled>
  readonly #aborting = new AbortController()
  readonly #ended: () => void
  #waiting = 0

  constructor(pull: (signal: AbortSignal) => Promise<Pulled>, ended: () => void) {
    this.#ended = ended
    this.#pulled = pull(this.#aborting.signal)
    this.#pulled.then(ended, ended)
  }

  join(signal: AbortSignal | undefined): Promise<Pulled> {
    this.#waiting++
    const stopListening = whenAborted(signal, () => {
      if (--this.#waiting > 0) return
      this.#ended() // a later caller starts a new pull
      this.#aborting.abort(signal?.reason)
    })
    return unlessAborted(this.#pulled, signal).finally(stopListening)
  }
}
