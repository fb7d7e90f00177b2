import type { Environment } from '../base/environment.js'
import type { Metrics } from '../base/metrics.js'
import type { Exchange } from './exchange.js'

/** The numbers about requests, under upstream's names. */
export interface Observer {
  readonly requests: ReturnType<typeof requestCounter>
  readonly durations: ReturnType<typeof durationHistogram>
  readonly inFlight: ReturnType<typeof inFlightGauge>
  readonly longRunning: ReturnType<typeof longRunningGauge>
}

export function observer(metrics: Metrics): Observer {
  return {
    requests: requestCounter(metrics),
    durations: durationHistogram(metrics),
    inFlight: inFlightGauge(metrics),
    longRunning: longRunningGauge(metrics),
  }
}

function requestCounter(metrics: Metrics) {
  return metrics.counter({
    name: 'apiserver_request_total',
    help: 'Requests, by what they asked for and how they were answered',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'code'],
  })
}

function durationHistogram(metrics: Metrics) {
  return metrics.histogram({
    name: 'apiserver_request_duration_seconds',
    help: 'How long requests took, watches and connections left out',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  })
}

function inFlightGauge(metrics: Metrics) {
  return metrics.gauge({
    name: 'apiserver_current_inflight_requests',
    help: 'Requests that are being worked on',
    labels: ['request_kind'],
  })
}

function longRunningGauge(metrics: Metrics) {
  return metrics.gauge({
    name: 'apiserver_longrunning_requests',
    help: 'Watches and connections that are open',
    labels: ['verb', 'group', 'version', 'resource', 'subresource', 'scope'],
  })
}

export interface Observation {
  code: number
  done(): void
}

/** Counts one request from its beginning to its end. */
export function observed(seen: Observer, exchange: Exchange, { clock }: Environment): Observation {
  const kind = exchange.request.method === 'GET' ? 'readOnly' : 'mutating'
  seen.inFlight.inc({ request_kind: kind })
  return {
    code: 200,
    done() {
      seen.inFlight.dec({ request_kind: kind })
      const labels = labelsOf(exchange)
      seen.requests.inc({ ...labels, code: String(this.code) })
      if (exchange.answer?.is !== 'watch') seen.durations.observe(labels, (clock.now() - exchange.received) / 1000)
    },
  }
}

const nothingKnown = { verb: 'OTHER', group: '', version: '', resource: '', subresource: '', scope: '' }

function labelsOf({ info, answer, isKnown }: Exchange) {
  if (!isKnown) return nothingKnown
  const { verb, group, version, resource, subresource, name, namespace } = info
  const scope = name !== '' ? 'resource' : namespace !== '' ? 'namespace' : 'cluster'
  return { verb: answer?.is === 'watch' ? 'WATCH' : verb.toUpperCase(), group, version, resource, subresource, scope }
}
