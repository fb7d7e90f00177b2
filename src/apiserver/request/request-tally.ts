import { DurationHistogram } from '../../base/duration-histogram.js'
import type { MetricSample } from '../../base/metrics.js'

/** What requests have in common that are counted together. */
export interface RequestLabels {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
}

/** How often something was asked for, and how it went. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Watches that are open now. */
  open = 0
  readonly #byCode = new Map<number, number>()
  readonly #durations = new DurationHistogram()

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  count(code: number): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
  }

  took(seconds: number): void {
    this.#durations.observe(seconds)
  }

  totals(): readonly MetricSample[] {
    return [...this.#byCode].map(([code, value]) => ({ labels: { ...this.labels, code }, value }))
  }

  durations(name: string): readonly MetricSample[] {
    return this.#durations.samples(name, { ...this.labels })
  }

  watches(): readonly MetricSample[] {
    return this.open === 0 ? [] : [{ labels: { ...this.labels }, value: this.open }]
  }
}
