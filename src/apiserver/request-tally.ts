import type { Sample } from '../base/metrics.js'

/** What requests have in common that are counted together. */
export interface RequestLabels {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
}

/** In seconds; each counts what took no longer. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How often something was asked for, and how it went. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Watches that are open now. */
  open = 0
  readonly #byCode = new Map<number, number>()
  /** How many took longer than the bound before, and no longer than this one; the last one is for all that took longer still. */
  readonly #byDuration: number[] = new Array(bounds.length + 1).fill(0)
  #seconds = 0
  #timed = 0

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  count(code: number): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
  }

  took(seconds: number): void {
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index++
    this.#byDuration[index]!++
    this.#seconds += seconds
    this.#timed++
  }

  totals(): readonly Sample[] {
    return [...this.#byCode].map(([code, value]) => ({ labels: { ...this.labels, code }, value }))
  }

  /** As Prometheus wants it: each bucket includes those below. */
  durations(name: string): readonly Sample[] {
    if (this.#timed === 0) return []
    const { labels } = this
    let value = 0
    const buckets = this.#byDuration.map((count, index) => {
      value += count
      return { metricName: `${name}_bucket`, labels: { ...labels, le: bounds[index] ?? '+Inf' }, value }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels: { ...labels }, value: this.#seconds },
      { metricName: `${name}_count`, labels: { ...labels }, value: this.#timed },
    ]
  }

  watches(): readonly Sample[] {
    return this.open === 0 ? [] : [{ labels: { ...this.labels }, value: this.open }]
  }
}
