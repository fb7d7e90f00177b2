import { unlessAborted, whenAborted } from '../../base/abort.js'
import type { Clock } from '../../base/clock.js'
import { TokenBucket } from '../../base/token-bucket.js'
import { CriError } from '../../cri/cri-error.js'
import type { Image, ImageSpec } from '../../cri/interface/image.js'
import type { Draft } from '../../cri/interface/message.js'
import type { PodSandboxConfig } from '../../cri/interface/sandbox-config.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { RegistryCredential } from './credential.js'
import { Semaphore } from './semaphore.js'

export interface PullOptions {
  /** How many pulls are under way at the same time. One, unless told: upstream's default. */
  readonly atOnce?: number | undefined
  /** Pulls per second, and how many of them may come together. Five and ten unless told; no limit if 0. */
  readonly perSecond?: number | undefined
  readonly burst?: number | undefined
}

export interface PullRequest {
  readonly image: Draft<ImageSpec> & { readonly image: string }
  /** Tried in turn, until one opens. None: anonymously. */
  readonly credentials: readonly RegistryCredential[]
  readonly sandbox: Draft<PodSandboxConfig>
}

export interface Pulled {
  readonly ref: string
  /** What the runtime then knows of it; undefined if it does not know it by the name by which it was pulled. */
  readonly image: Image | undefined
  /** With which it worked. */
  readonly credential: RegistryCredential | undefined
  /** Milliseconds, without those in which it waited for its turn. */
  readonly duration: number
}

/** The pulls of a node: so many at a time, and each image once for all who wait for it with the same credentials. */
export class Pulls {
  readonly #runtime: Pick<ContainerRuntime, 'pullImage' | 'imageStatus'>
  readonly #clock: Clock
  readonly #turns: Semaphore
  readonly #rate: TokenBucket | undefined
  readonly #underWay = new Map<string, SharedPull>()

  constructor(runtime: Pick<ContainerRuntime, 'pullImage' | 'imageStatus'>, clock: Clock, options: PullOptions = {}) {
    const { atOnce = 1, perSecond = 5, burst = 10 } = options
    this.#runtime = runtime
    this.#clock = clock
    this.#turns = new Semaphore(atOnce)
    this.#rate = perSecond > 0 ? new TokenBucket(clock, { rate: perSecond, burst }) : undefined
  }

  /** Rejects with what the runtime says. When nobody waits for a pull any more, it is given up. */
  pull(request: PullRequest, signal: AbortSignal | undefined): Promise<Pulled> {
    const key = JSON.stringify([request.image.image, ...request.credentials.map(({ hash }) => hash)])
    const shared = this.#underWay.get(key) ?? this.#begin(key, request)
    return shared.join(signal)
  }

  #begin(key: string, request: PullRequest): SharedPull {
    const ended = () => {
      if (this.#underWay.get(key) === shared) this.#underWay.delete(key)
    }
    const shared = new SharedPull((givingUp) => this.#pullInTurn(request, givingUp), ended)
    this.#underWay.set(key, shared)
    return shared
  }

  async #pullInTurn(request: PullRequest, signal: AbortSignal): Promise<Pulled> {
    const release = await this.#turns.acquire(signal)
    try {
      await this.#rate?.take(signal)
      return await this.#pullNow(request, signal)
    } finally {
      release()
    }
  }

  async #pullNow(request: PullRequest, signal: AbortSignal): Promise<Pulled> {
    const begun = this.#clock.monotonic()
    const { ref, credential } = await this.#pullWithAny(request, signal)
    const { image } = await this.#runtime.imageStatus({ image: request.image }, { signal })
    return { ref, image, credential, duration: this.#clock.monotonic() - begun }
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

/** What came of all credentials that were tried. */
class PullError extends Error {
  override readonly name = 'PullError'

  constructor(errors: readonly unknown[]) {
    const texts = [...new Set(errors.map(pullErrorText))]
    super(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`, { cause: errors[0] })
  }
}

/** A runtime's own words; the code is told only where it says something. */
export function pullErrorText(error: unknown): string {
  if (error instanceof CriError && error.code === 'Unknown') return error.description
  return error instanceof Error ? error.message : String(error)
}

/** One pull for many. It goes on as long as anybody waits. */
class SharedPull {
  readonly #pulled: Promise<Pulled>
  readonly #givingUp = new AbortController()
  readonly #ended: () => void
  #waiting = 0

  constructor(pull: (signal: AbortSignal) => Promise<Pulled>, ended: () => void) {
    this.#ended = ended
    this.#pulled = pull(this.#givingUp.signal)
    this.#pulled.then(ended, ended)
  }

  join(signal: AbortSignal | undefined): Promise<Pulled> {
    this.#waiting++
    const stopListening = whenAborted(signal, () => {
      if (--this.#waiting > 0) return
      this.#ended() // whoever comes now begins anew
      this.#givingUp.abort(signal?.reason)
    })
    return unlessAborted(this.#pulled, signal).finally(stopListening)
  }
}
