import { untagged } from './estimate.js'
import type { Sample } from './sample.js'
import type { UsageEstimate, UsageQuery } from './usage-history.js'

/** Older ones are never asked for. */
const month = 30 * 24 * 3_600_000
/** Of one repository: enough for a sample a minute over a week, and it bounds what a history can take of the memory. */
const most = 10_000

/** Samples in memory, by repository: at most so many of each, the latest ones. */
export class SampleStore {
  readonly #byRepository = new Map<string, Sample[]>()

  add(sample: Sample): void {
    const repository = untagged(sample.image)
    const samples = this.#byRepository.get(repository)
    if (!samples) this.#byRepository.set(repository, [sample])
    else if (samples.push(sample) > 2 * most) samples.splice(0, samples.length - most)
  }

  clear(): void {
    this.#byRepository.clear()
  }

  forget(now: number): void {
    for (const [repository, samples] of this.#byRepository) {
      const recent = samples.filter(({ time }) => time > now - month).slice(-most)
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

/** The smallest value that so many percent of all are not above. */
function percentileOf(values: number[], percentile: number): number {
  values.sort((left, right) => left - right)
  return values[Math.max(0, Math.ceil((percentile / 100) * values.length) - 1)] ?? 0
}
