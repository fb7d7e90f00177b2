import type { Clock } from '../../base/clock.js'
import { DurationHistogram } from '../../base/duration-histogram.js'
import type { Environment } from '../../base/environment.js'
import type { MetricSample, Metrics } from '../../base/metrics.js'
import { isOpenEnded } from '../response/response.js'
import type { RequestContext } from './request-context.js'

/**
 * Metrics of requests, under upstream's names. They are plain numbers, formatted for Prometheus when they are read: counting a request must
 * be cheap.
 */
export class RequestMetrics {
  readonly #clock: Clock
  /** By labels. Names that a client invents are no labels, so that the number of entries is bounded by the API. */
  readonly #tallies = new Map<string, RequestTally>()
  readonly #inFlight = { readOnly: 0, mutating: 0 }

  constructor({ clock, metrics }: Pick<Environment, 'clock' | 'metrics'>) {
    this.#clock = clock
    this.#describe(metrics)
  }

  #describe(metrics: Metrics): void {
    const requests = 'Requests by verb, resource and status code'
    metrics.collected({ name: 'apiserver_request_total', help: requests, type: 'counter' }, () =>
      this.#samples((tally) => tally.totals()),
    )
    const durations = 'apiserver_request_duration_seconds'
    metrics.collected({ name: durations, help: 'How long requests took, watches left out', type: 'histogram' }, () =>
      this.#samples((tally) => tally.durations(durations)),
    )
    metrics.collected({ name: 'apiserver_longrunning_requests', help: 'Watches that are open', type: 'gauge' }, () =>
      this.#samples((tally) => tally.watches()),
    )
    const inFlight = 'Requests that are being worked on'
    metrics.collected({ name: 'apiserver_current_inflight_requests', help: inFlight, type: 'gauge' }, () =>
      Object.entries(this.#inFlight).map(([request_kind, value]) => ({ labels: { request_kind }, value })),
    )
  }

  #samples(of: (tally: RequestTally) => readonly MetricSample[]): MetricSample[] {
    return [...this.#tallies.values()].flatMap(of)
  }

  begin(context: RequestContext): void {
    this.#inFlight[kindOf(context)]++
  }

  /** Counts an open-ended request as an open watch, no longer as one in flight. */
  watching(context: RequestContext): void {
    this.#inFlight[kindOf(context)]--
    this.#tallyOf(context).open++
  }

  end(context: RequestContext, code: number): void {
    const tally = this.#tallyOf(context)
    tally.count(code)
    if (context.response && isOpenEnded(context.response)) tally.open--
    else {
      this.#inFlight[kindOf(context)]--
      tally.took((this.#clock.monotonic() - context.began) / 1000)
    }
  }

  #tallyOf(context: RequestContext): RequestTally {
    const key = keyOf(context)
    let tally = this.#tallies.get(key)
    if (!tally) {
      tally = new RequestTally(labelsOf(context))
      this.#tallies.set(key, tally)
    }
    return tally
  }
}

function kindOf({ request: { method } }: RequestContext): 'readOnly' | 'mutating' {
  return method === 'GET' || method === 'HEAD' ? 'readOnly' : 'mutating'
}

function keyOf({ info, response, isKnown }: RequestContext): string {
  if (!isKnown) return ''
  const { verb, group, version, resource, subresource } = info
  return `${response?.is === 'watch' ? 'watch' : verb} ${group}/${version}/${resource}/${subresource} ${scopeOf(info)}`
}

const nothingKnown = { verb: 'OTHER', group: '', version: '', resource: '', subresource: '', scope: '' }

function labelsOf({ info, response, isKnown }: RequestContext): RequestLabels {
  if (!isKnown) return nothingKnown
  const { verb, group, version, resource, subresource } = info
  const isWatch = response?.is === 'watch'
  return { verb: isWatch ? 'WATCH' : verb.toUpperCase(), group, version, resource, subresource, scope: scopeOf(info) }
}

function scopeOf({ name, namespace }: RequestContext['info']): string {
  return name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster'
}

/** The labels of requests that are counted together. */
export interface RequestLabels {
  readonly verb: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly scope: string
}

/** Counts and durations of the requests with the same labels. */
export class RequestTally {
  readonly labels: RequestLabels
  /** Watches that are open. */
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
