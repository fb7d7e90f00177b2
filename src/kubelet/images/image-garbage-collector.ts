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
  /** Percent of the images' filesystem: above `high` images are removed, down to `low`. 85 and 80 unless told. */
  readonly high?: number | undefined
  readonly low?: number | undefined
  /** For how long an image is left alone after it came. Two minutes unless told. */
  readonly minAge?: number | undefined
  /** After how long without use an image goes, whatever space there is. 0, the default, is never. */
  readonly maxAge?: number | undefined
}

export interface ImageGarbageCollectorDependencies {
  readonly environment: Environment
  readonly runtime: Pick<ContainerRuntime, 'listImages' | 'listContainers' | 'removeImage' | 'imageFsInfo'>
  readonly measure: (path: string) => Promise<Pick<FilesystemSpace, 'capacity' | 'available'>>
  readonly events: EventRecorder
  /** The Node, for events. */
  readonly about: Occurrence['about']
  /** Told of the images that are left. */
  readonly remaining: (imageIds: ReadonlySet<string>) => void
  readonly policy?: ImageGarbageCollectionPolicy | undefined
}

/** Removes images that nobody uses when their filesystem fills up. */
export class ImageGarbageCollector {
  readonly #dependencies: ImageGarbageCollectorDependencies
  readonly #policy: Required<{ [K in keyof ImageGarbageCollectionPolicy]: number }>
  readonly #uses = new ImageUses()
  readonly #begun: number
  #hasFailed = false

  constructor(dependencies: ImageGarbageCollectorDependencies) {
    const { high = 85, low = 80, minAge = 2 * minute, maxAge = 0 } = dependencies.policy ?? {}
    if (!(low >= 0 && low <= high && high <= 100))
      throw new RangeError(`LowThresholdPercent ${low} can not be higher than HighThresholdPercent ${high}`)
    this.#dependencies = dependencies
    this.#policy = { high, low, minAge, maxAge }
    this.#begun = dependencies.environment.clock.monotonic()
  }

  /** Every five minutes, until the signal. Failures are told from the second one on: the first may be a runtime that just starts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#dependencies.environment
    while (!signal.aborted) {
      await this.collect().then(
        () => this.#succeeded(),
        (error: unknown) => {
          log.warn('images could not be collected', { error })
          this.#failed(error)
        },
      )
      await sleep(clock, period, signal).catch(() => {}) // only the signal ends it, and that is looked at anyway
    }
  }

  /** Rejects if that does not free what should be freed. */
  async collect(): Promise<void> {
    const { clock } = this.#dependencies.environment
    const now = clock.monotonic()
    const unused = await this.#look(now)
    const outdated = unused.filter((image) => this.#isOutdated(image, now))
    await this.#remove(outdated, Number.POSITIVE_INFINITY)
    const wanted = await this.#bytesToFree()
    if (wanted <= 0) return
    const old = unused.filter((image) => !outdated.includes(image) && now - image.firstSeen >= this.#policy.minAge)
    const freed = await this.#remove(old, wanted)
    if (freed < wanted) throw this.#tooLittle(wanted, freed)
  }

  async #look(now: number): Promise<readonly UnusedImage[]> {
    const { runtime, remaining } = this.#dependencies
    const [{ images }, { containers }] = await Promise.all([runtime.listImages({}), runtime.listContainers({})])
    remaining(new Set(images.map(({ id }) => id)))
    return this.#uses.update(images, containers, now)
  }

  /** Counts from when the kubelet began: what was used before that it does not know. */
  #isOutdated({ lastUsed, firstSeen }: UnusedImage, now: number): boolean {
    const { maxAge, minAge } = this.#policy
    return maxAge > 0 && now - Math.max(lastUsed, this.#begun) > maxAge && now - firstSeen >= minAge
  }

  async #bytesToFree(): Promise<number> {
    const { capacity, available } = await this.#space()
    if (capacity === 0) {
      const message = 'invalid capacity 0 on image filesystem'
      this.#tell('InvalidDiskCapacity', message)
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
    if (!mountpoint) throw new Error('the runtime does not tell where its images are')
    const { capacity, available } = await measure(mountpoint)
    return { capacity, available: Math.min(available, capacity) }
  }

  /** Gives the bytes that were freed. One that cannot be removed does not keep the others. */
  async #remove(images: readonly UnusedImage[], wanted: number): Promise<number> {
    const { runtime, environment } = this.#dependencies
    let freed = 0
    for (const { id, size } of images) {
      if (freed >= wanted) break
      try {
        await runtime.removeImage({ image: { image: id } })
        freed += size
        environment.log.info('an image was removed, which nobody uses', { image: id, size })
      } catch (error) {
        environment.log.warn('an image cannot be removed', { image: id, error })
      }
    }
    return freed
  }

  #tooLittle(wanted: number, freed: number): Error {
    const message = `Failed to garbage collect required amount of images. Attempted to free ${wanted} bytes, but only found ${freed} bytes eligible to free.`
    this.#tell('FreeDiskSpaceFailed', message)
    return new Error(message)
  }

  #succeeded(): void {
    this.#hasFailed = false
  }

  #failed(error: unknown): void {
    if (this.#hasFailed) this.#tell('ImageGCFailed', error instanceof Error ? error.message : String(error))
    this.#hasFailed = true
  }

  #tell(reason: string, message: string): void {
    const { events, about } = this.#dependencies
    events.record({ about, type: 'Warning', reason, message })
  }
}
