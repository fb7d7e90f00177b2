import type { MetricSample } from './metrics.js'

/** Upper bounds in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** A histogram of durations in plain numbers: an observation costs almost nothing. */
export class DurationHistogram {
  /** Observations above the previous bound, up to this one; the last item is for those above all bounds. */
  readonly #byDuration: number[] = new Array(bounds.length + 1).fill(0)
  #seconds = 0
  #count = 0

  observe(seconds: number): void {
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index++
    this.#byDuration[index]!++
    this.#seconds += seconds
    this.#count++
  }

  /** Returns a histogram in Prometheus' form, with cumulative buckets. Empty without observations. */
  samples(name: string, labels: Readonly<Record<string, string>>): readonly MetricSample[] {
    if (this.#count === 0) return []
    let value = 0
    const buckets = this.#byDuration.map((count, index) => {
      value += count
      return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { ...labels }, value: this.#seconds },
      { metricName: `${name}_count`, labels: { ...labels }, value: this.#count },
    ]
  }
}
