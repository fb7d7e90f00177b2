import type { Pod } from '../../api/core/v1/pod.js'
import type { Volume } from '../../api/core/v1/volume.js'
import type { Timer } from '../../base/clock.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import { quote } from '../../schema/quote.js'
import { createPodFolders } from './volume-paths.js'
import { setUpVolume, type VolumeSetupDependencies, type VolumeState } from './volume-setup.js'
import { type MountedVolumes, VolumeSetupError } from './volumes.js'

export interface PodVolumeSetDependencies extends VolumeSetupDependencies {
  readonly events: EventRecorder
}

/** Milliseconds before a failed refresh is retried, as upstream. */
const retryAfter = 60_000

/** The volumes of one pod, as set up by this kubelet. */
export class PodVolumeSet {
  readonly #dependencies: PodVolumeSetDependencies
  readonly #folder: string
  readonly #volumes = new Map<string, VolumeState>()
  /** Errors of the last refreshes by volume. Each one is recorded once. */
  readonly #errors = new Map<string, string>()
  #pod: Pod | undefined
  /** All volumes of `#pod`. Undefined before they are set up. */
  #mounted: MountedVolumes | undefined
  #refreshAt = Number.POSITIVE_INFINITY
  #timer: Timer | undefined
  /** Serializes the work on a pod's volumes. */
  #last: Promise<unknown> = Promise.resolve()
  readonly #closing = new AbortController()

  constructor(dependencies: PodVolumeSetDependencies, folder: string) {
    this.#dependencies = dependencies
    this.#folder = folder
  }

  /** Returns at once if all volumes are up to date. */
  async ensure(pod: Pod, signal?: AbortSignal): Promise<MountedVolumes> {
    // The timer refreshes in time, unless the host was suspended.
    const isDue = this.#dependencies.environment.clock.now() >= this.#refreshAt
    if (this.#mounted && this.#pod === pod && !isDue) return this.#mounted
    return this.#serialize(() => this.#setUpAll(pod, this.#untilClosed(signal)))
  }

  /** Refreshes the volumes after a source has changed. Before the first setup, the next sync does it. */
  changed(): void {
    if (this.#mounted) this.#refresh()
  }

  /** Aborts the current work. Resolves when it has ended. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('the volumes of this pod are being removed'))
    this.#timer?.cancel()
    await this.#last
  }

  #refresh(): void {
    this.#serialize(() => this.#setUpAll(this.#pod!, this.#closing.signal)).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) this.#dependencies.environment.log.warn('volume refresh failed', { error })
    })
  }

  #untilClosed(signal: AbortSignal | undefined): AbortSignal {
    return signal ? AbortSignal.any([signal, this.#closing.signal]) : this.#closing.signal
  }

  #serialize<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => {
      this.#closing.signal.throwIfAborted()
      return work()
    })
    this.#last = turn.catch(() => {})
    return turn
  }

  async #setUpAll(pod: Pod, signal: AbortSignal): Promise<MountedVolumes> {
    if (!this.#mounted) createPodFolders(this.#folder)
    const volumes = mountedVolumes(pod)
    const results = await Promise.allSettled(volumes.map((volume) => this.#setUp(pod, volume, signal)))
    signal.throwIfAborted()
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
    if (failures.length > 0) throw combinedError(failures)
    this.#pod = pod
    this.#mounted = new Map(volumes.map(({ name }) => [name, this.#volumes.get(name)!.mounted]))
    this.#schedule()
    return this.#mounted
  }

  async #setUp(pod: Pod, volume: Volume, signal: AbortSignal): Promise<void> {
    const { name } = volume
    const previous = this.#volumes.get(name)
    try {
      const request = { pod, folder: this.#folder, volume, previous, signal }
      this.#volumes.set(name, await setUpVolume(this.#dependencies, request))
      this.#errors.delete(name)
    } catch (error) {
      signal.throwIfAborted()
      const text = `MountVolume.SetUp failed for volume ${quote(name)} : ${(error as Error).message}`
      if (!previous) throw new VolumeSetupError(name, text, { cause: error })
      this.#volumes.set(name, { ...previous, refreshAt: this.#dependencies.environment.clock.now() + retryAfter })
      this.#recordEvent(pod, name, text)
    }
  }

  /** Containers keep the old contents. */
  #recordEvent(pod: Pod, volume: string, message: string): void {
    if (this.#errors.get(volume) === message) return
    this.#errors.set(volume, message)
    this.#dependencies.events.record({ about: pod, type: 'Warning', reason: 'FailedMount', message })
  }

  #schedule(): void {
    const { clock } = this.#dependencies.environment
    this.#timer?.cancel()
    this.#refreshAt = Math.min(...[...this.#volumes.values()].map(({ refreshAt }) => refreshAt))
    if (this.#closing.signal.aborted || this.#refreshAt === Number.POSITIVE_INFINITY) return
    this.#timer = clock.timer(this.#refreshAt - clock.now(), () => this.#refresh())
  }
}

/** Skips volumes that no container mounts. */
function mountedVolumes({ spec }: Pod): readonly Volume[] {
  const containers = [spec.containers, spec.initContainers ?? [], spec.ephemeralContainers ?? []].flat()
  const names = new Set(containers.flatMap(({ volumeMounts = [] }) => volumeMounts.map(({ name }) => name)))
  return (spec.volumes ?? []).filter(({ name }) => names.has(name))
}

function combinedError(failures: readonly unknown[]): unknown {
  const [first, ...others] = failures.filter((failure) => failure instanceof VolumeSetupError)
  if (!first || others.length === 0) return failures[0]
  return new VolumeSetupError(first.volume, first.message, { cause: first.cause, others })
}
