import { DurationTally } from '../base/duration-histogram.js'
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

/** How often something was asked for, and how it went. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Watches that are open now. */
  open = 0
  readonly #byCode = new Map<number, number>()
  readonly #durations = new DurationTally()

  constructor(labels: RequestLabels) {
    this.labels = labels
  }

  count(code: number): void {
    this.#byCode.set(code, (this.#byCode.get(code) ?? 0) + 1)
  }

  took(seconds: number): void {
    this.#durations.took(seconds)
  }

  totals(): readonly Sample[] {
    return [...this.#byCode].map(([code, value]) => ({ labels: { ...this.labels, code }, value }))
  }

  durations(name: string): readonly Sample[] {
    return this.#durations.samples(name, { ...this.labels })
  }

  watches(): readonly Sample[] {
    return this.open === 0 ? [] : [{ labels: { ...this.labels }, value: this.open }]
  }
}
