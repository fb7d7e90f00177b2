import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { EventRecorder, Occurrence } from '../../client/events/event-recorder.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { FilesystemSpace } from '../node/filesystem-space.js'
import { ImageUses, type UnusedImage } from './image-uses.js'

/** Upstream's defaults. Times are milliseconds. */
const period = 300_000
const minute = 60_000

export interface ImageGarbageCollectionPolicy {
  /** Percent of the image filesystem: images are removed if usage exceeds `high`, until it reaches `low`. Default to 85 and 80. */
  readonly high?: number | undefined
  readonly low?: number | undefined
  /** Minimum age of an image before it is removed. Defaults to two minutes. */
  readonly minAge?: number | undefined
  /** Removes images that were unused for this long, whatever space is free. Defaults to 0: never. */
  readonly maxAge?: number | undefined
}

export interface ImageGarbageCollectorDependencies {
  readonly environment: Environment
  readonly runtime: Pick<ContainerRuntime, 'listImages' | 'listContainers' | 'removeImage' | 'imageFsInfo'>
  readonly measure: (path: string) => Promise<Pick<FilesystemSpace, 'capacity' | 'available'>>
  readonly events: EventRecorder
  /** The Node, for events. */
  readonly about: Occurrence['about']
  /** Called with the ids of the images that remain. */
  readonly remaining: (imageIds: ReadonlySet<string>) => void
  readonly policy?: ImageGarbageCollectionPolicy | undefined
}

/** Removes unused images when their filesystem fills up. */
export class ImageGarbageCollector {
  readonly #dependencies: ImageGarbageCollectorDependencies
  readonly #policy: Required<{ [K in keyof ImageGarbageCollectionPolicy]: number }>
  readonly #uses = new ImageUses()
  readonly #startedAt: number
  #hasFailed = false

  constructor(dependencies: ImageGarbageCollectorDependencies) {
    const { high = 85, low = 80, minAge = 2 * minute, maxAge = 0 } = dependencies.policy ?? {}
    if (!(low >= 0 && low <= high && high <= 100))
      throw new RangeError(`LowThresholdPercent ${low} can not be higher than HighThresholdPercent ${high}`)
    this.#dependencies = dependencies
    this.#policy = { high, low, minAge, maxAge }
    this.#startedAt = dependencies.environment.clock.monotonic()
  }

  /**
   * Collects every five minutes until the signal. Events start with the second failure, because the runtime may still be starting at the
   * first.
   */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#dependencies.environment
    while (!signal.aborted) {
      await this.collect().then(
        () => this.#succeeded(),
        (error: unknown) => {
          log.warn('image garbage collection failed', { error })
          this.#failed(error)
        },
      )
      await sleep(clock, period, signal).catch(() => {}) // only the signal rejects it, and the loop checks it
    }
  }

  /** Rejects if it cannot free enough. */
  async collect(): Promise<void> {
    const { clock } = this.#dependencies.environment
    const now = clock.monotonic()
    const unused = await this.#findUnused(now)
    const outdated = unused.filter((image) => this.#isOutdated(image, now))
    await this.#remove(outdated, Number.POSITIVE_INFINITY)
    const wanted = await this.#bytesToFree()
    if (wanted <= 0) return
    const old = unused.filter((image) => !outdated.includes(image) && now - image.firstSeen >= this.#policy.minAge)
    const freed = await this.#remove(old, wanted)
    if (freed < wanted) throw this.#tooLittle(wanted, freed)
  }

  async #findUnused(now: number): Promise<readonly UnusedImage[]> {
    const { runtime, remaining } = this.#dependencies
    const [{ images }, { containers }] = await Promise.all([runtime.listImages({}), runtime.listContainers({})])
    remaining(new Set(images.map(({ id }) => id)))
    return this.#uses.update(images, containers, now)
  }

  /** Counts from the start of the kubelet, because earlier uses are unknown. */
  #isOutdated({ lastUsed, firstSeen }: UnusedImage, now: number): boolean {
    const { maxAge, minAge } = this.#policy
    return maxAge > 0 && now - Math.max(lastUsed, this.#startedAt) > maxAge && now - firstSeen >= minAge
  }

  async #bytesToFree(): Promise<number> {
    const { capacity, available } = await this.#space()
    if (capacity === 0) {
      const message = 'invalid capacity 0 on image filesystem'
      this.#record('InvalidDiskCapacity', message)
      throw new Error(message)
    }
    const { high, low } = this.#policy
    const usage = 100 - Math.trunc((available * 100) / capacity)
    return usage >= high ? Math.trunc((capacity * (100 - low)) / 100) - available : 0
  }

  async #space(): Promise<Pick<FilesystemSpace, 'capacity' | 'available'>> {
    const { runtime, measure } = this.#dependencies
    const { imageFilesystems } = await runtime.imageFsInfo({})
    const mountpoint = imageFilesystems[0]?.fsId?.mountpoint
    if (!mountpoint) throw new Error('the runtime does not report its image filesystem')
    const { capacity, available } = await measure(mountpoint)
    return { capacity, available: Math.min(available, capacity) }
  }

  /** Returns the freed bytes. A failed removal does not stop the others. */
  async #remove(images: readonly UnusedImage[], wanted: number): Promise<number> {
    const { runtime, environment } = this.#dependencies
    let freed = 0
    for (const { id, size } of images) {
      if (freed >= wanted) break
      try {
        await runtime.removeImage({ image: { image: id } })
        freed += size
        environment.log.info('unused image removed', { image: id, size })
      } catch (error) {
        environment.log.warn('image removal failed', { image: id, error })
      }
    }
    return freed
  }

  #tooLittle(wanted: number, freed: number): Error {
    const message = `Failed to garbage collect required amount of images. Attempted to free ${wanted} bytes, but only found ${freed} bytes eligible to free.`
    this.#record('FreeDiskSpaceFailed', message)
    return new Error(message)
  }

  #succeeded(): void {
    this.#hasFailed = false
  }

  #failed(error: unknown): void {
    if (this.#hasFailed) this.#record('ImageGCFailed', error instanceof Error ? error.message : String(error))
    this.#hasFailed = true
  }

  #record(reason: string, message: string): void {
    const { events, about } = this.#dependencies
    events.record({ about, type: 'Warning', reason, message })
  }
}
