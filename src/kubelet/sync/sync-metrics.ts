import type { Metrics } from '../../base/metrics.js'
import type { PodContainer } from '../pods/pod-containers.js'
import type { ObservedPod } from '../runtime/observed-pod.js'

const containerTypes = { init: 'init_container', container: 'container', ephemeral: 'ephemeral_container' } as const

const startBuckets = [
  0.1, 0.25, 0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200,
]

/** Metrics of pod syncs, with upstream's names. Kubelets of one process share them. */
export class SyncMetrics {
  readonly #podStart
  readonly #workerDuration
  readonly #startedPods
  readonly #failedPods
  readonly #startedContainers
  readonly #failedContainers
  readonly #runningPods
  readonly #runningContainers
  /** Last counts, by pod. */
  readonly #counted = new Map<string, ReadonlyMap<string, number>>()

  constructor(metrics: Metrics) {
    const counter = <L extends string>(name: string, help: string, ...labels: readonly L[]) =>
      metrics.counter({ name: `kubelet_${name}`, help, labels })
    const gauge = <L extends string>(name: string, help: string, ...labels: readonly L[]) =>
      metrics.gauge({ name: `kubelet_${name}`, help, labels })
    this.#podStart = metrics.histogram({
      name: 'kubelet_pod_start_duration_seconds',
      help: 'Duration from the arrival of a pod at the kubelet until it runs.',
      buckets: startBuckets,
    })
    this.#workerDuration = metrics.histogram({
      name: 'kubelet_pod_worker_duration_seconds',
      help: 'Duration of one operation on a pod, by operation type.',
      labels: ['operation_type'],
    })
    this.#startedPods = counter('started_pods_total', 'Number of sandboxes that were started.')
    this.#failedPods = counter('started_pods_errors_total', 'Number of sandboxes that failed to start.')
    this.#startedContainers = counter(
      'started_containers_total',
      'Number of containers that were started.',
      'container_type',
    )
    this.#failedContainers = counter(
      'started_containers_errors_total',
      'Number of containers that failed to start.',
      'container_type',
      'code',
    )
    this.#runningPods = gauge('running_pods', 'Number of pods with a running sandbox.')
    this.#runningContainers = gauge('running_containers', 'Number of containers by state.', 'container_state')
  }

  /** Times are milliseconds, here and below. */
  podStarted(took: number): void {
    this.#podStart.observe(took / 1000)
  }

  workerFinished(operation: string, took: number): void {
    this.#workerDuration.observe({ operation_type: operation }, took / 1000)
  }

  async startingPod<T>(work: () => Promise<T>): Promise<T> {
    this.#startedPods.inc()
    try {
      return await work()
    } catch (error) {
      this.#failedPods.inc()
      throw error
    }
  }

  startingContainer({ type }: PodContainer): void {
    this.#startedContainers.inc({ container_type: containerTypes[type] })
  }

  containerFailed({ type }: PodContainer, code: string): void {
    this.#failedContainers.inc({ container_type: containerTypes[type], code })
  }

  /** Updates the gauges after the runtime's state of a pod changed. */
  countObserved(observed: ObservedPod): void {
    const before = this.#counted.get(observed.uid) ?? new Map<string, number>()
    const now = counts(observed)
    for (const key of new Set([...before.keys(), ...now.keys()])) {
      const change = (now.get(key) ?? 0) - (before.get(key) ?? 0)
      if (key === 'pod') this.#runningPods.inc(change)
      else this.#runningContainers.inc({ container_state: key }, change)
    }
    if (now.size === 0) this.#counted.delete(observed.uid)
    else this.#counted.set(observed.uid, now)
  }
}

function counts({ sandboxes, containers }: ObservedPod): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  if (sandboxes.some(({ state }) => state === 'ready')) found.set('pod', 1)
  for (const { state } of containers) found.set(state, (found.get(state) ?? 0) + 1)
  return found
}
