import type { Metrics } from '../../base/metrics.js'
import type { ProbeKind } from './probe-kind.js'
import { probeKindNames } from './probe-kind.js'

export interface ProbeSubject {
  readonly kind: ProbeKind
  readonly container: string
  readonly pod: string
  readonly namespace: string
  readonly podUid: string
}

export type CountedResult = 'successful' | 'failed' | 'unknown'

/** Upstream's probe metrics. They have labels for each container, so they are removed with it. */
export class ProbeMetrics {
  readonly #results
  readonly #durations

  constructor(metrics: Metrics) {
    this.#results = metrics.counter({
      name: 'prober_probe_total',
      help: 'Cumulative number of a liveness, readiness or startup probe for a container by result.',
      labels: ['probe_type', 'result', 'container', 'pod', 'namespace', 'pod_uid'],
    })
    this.#durations = metrics.histogram({
      name: 'prober_probe_duration_seconds',
      help: 'Duration in seconds for a probe response.',
      labels: ['probe_type', 'container', 'pod', 'namespace'],
    })
  }

  count(subject: ProbeSubject, result: CountedResult, seconds: number): void {
    this.#results.inc({ ...labelsOf(subject), result, pod_uid: subject.podUid })
    if (result !== 'failed') this.#durations.observe(labelsOf(subject), seconds)
  }

  forget(subject: ProbeSubject): void {
    for (const result of ['successful', 'failed', 'unknown'])
      this.#results.remove({ ...labelsOf(subject), result, pod_uid: subject.podUid })
    this.#durations.remove(labelsOf(subject))
  }
}

function labelsOf({ kind, container, pod, namespace }: ProbeSubject) {
  return { probe_type: probeKindNames[kind], container, pod, namespace }
}
