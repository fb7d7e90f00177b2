import { untagged } from './estimate.js'
import type { Sample } from './sample.js'
import type { UsageEstimate, UsageQuery } from './usage-history.js'

/** No query goes back further. */
const month = 30 * 24 * 3_600_000
/** Upper bound of samples per repository: one per minute for a week. It limits the memory that a history takes. */
const maxSamples = 10_000

/** Keeps the latest samples of each repository in memory. */
export class SampleStore {
  readonly #byRepository = new Map<string, Sample[]>()

  add(sample: Sample): void {
    const repository = untagged(sample.image)
    const samples = this.#byRepository.get(repository)
    if (!samples) this.#byRepository.set(repository, [sample])
    else if (samples.push(sample) > 2 * maxSamples) samples.splice(0, samples.length - maxSamples)
  }

  clear(): void {
    this.#byRepository.clear()
  }

  /** Removes samples that no query asks for any more. */
  removeOld(now: number): void {
    for (const [repository, samples] of this.#byRepository) {
      const recent = samples.filter(({ time }) => time > now - month).slice(-maxSamples)
      if (recent.length === 0) this.#byRepository.delete(repository)
      else this.#byRepository.set(repository, recent)
    }
  }

  usage({ resource, image, isExact, namespace, since, percentile }: UsageQuery): UsageEstimate {
    const values: number[] = []
    for (const sample of this.#byRepository.get(isExact ? untagged(image) : image) ?? []) {
      const value = sample[resource]
      if (value === undefined || sample.time <= since) continue
      if (isExact && sample.image !== image) continue
      if (namespace !== undefined && sample.namespace !== namespace) continue
      values.push(value)
    }
    return { samples: values.length, usage: percentileOf(values, percentile) }
  }
}

/** Returns the smallest value that at least `percentile` percent of the values do not exceed. */
function percentileOf(values: number[], percentile: number): number {
  values.sort((left, right) => left - right)
  return values[Math.max(0, Math.ceil((percentile / 100) * values.length) - 1)] ?? 0
}
