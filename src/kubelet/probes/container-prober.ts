import type { Probe } from '../../api/core/v1/container/probe.js'
import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import { newest, type ObservedPod, readySandbox } from '../runtime/observed-pod.js'
import { type ProbedContainer, type ProbeKind, probeKindNames, probeKinds, probeOf } from './probe-kind.js'
import type { ProbeMetrics, ProbeSubject } from './probe-metrics.js'
import type { ProbeError, ProbeResult } from './probe-result.js'
import { ProbeWorker } from './probe-worker.js'
import { type ProbeDependencies, runProbe } from './run-probe.js'

export interface ContainerProberDependencies extends ProbeDependencies {
  readonly environment: Environment
  readonly events: EventRecorder
  readonly probeMetrics: ProbeMetrics
  readonly kubeletStart: number
  /** Address of pods on the host network. */
  readonly hostAddress: string
  readonly changed: () => void
}

/** Probes one container of a pod through all its restarts. */
export class ContainerProber {
  readonly #probed: ProbedContainer
  readonly #dependencies: ContainerProberDependencies
  readonly #workers = new Map<ProbeKind, ProbeWorker>()
  #pod: Pod
  #address = ''
  #containerId: string | undefined

  constructor(pod: Pod, of: ProbedContainer, dependencies: ContainerProberDependencies) {
    this.#pod = pod
    this.#probed = of
    this.#dependencies = dependencies
    for (const kind of probeKinds) {
      const probe = probeOf(kind, of.container)
      if (probe) this.#workers.set(kind, this.#worker(kind, probe))
    }
  }

  /** Id of the current container, or undefined. */
  get containerId(): string | undefined {
    return this.#containerId
  }

  update(pod: Pod, observed: ObservedPod): void {
    const { name } = this.#probed.container
    const found = newest(observed, name)
    this.#pod = pod
    this.#address = pod.spec.hostNetwork ? this.#dependencies.hostAddress : (readySandbox(observed)?.addresses[0] ?? '')
    this.#containerId = found?.id
    if (!found) return
    const { id, state, startedAt } = found
    const before = statusOf(pod, name, id)
    // The startup probe comes first: the others depend on its result.
    for (const [kind, worker] of this.#workers)
      worker.update({ id, startedAt, isRunning: state === 'running', before: previousResult(kind, before) })
  }

  /** Returns true without such a probe. */
  result(kind: ProbeKind): boolean | undefined {
    const worker = this.#workers.get(kind)
    return worker ? worker.result : true
  }

  /** A terminating container must not be killed by a probe, and need not start. */
  stopLivenessAndStartup(): void {
    this.#stop('startup')
    this.#stop('liveness')
  }

  close(): void {
    for (const kind of [...this.#workers.keys()]) this.#stop(kind)
  }

  #stop(kind: ProbeKind): void {
    const worker = this.#workers.get(kind)
    if (!worker) return
    worker.close()
    this.#workers.delete(kind)
    this.#dependencies.probeMetrics.forget(this.#subject(kind))
  }

  #worker(kind: ProbeKind, probe: Probe): ProbeWorker {
    const { environment, kubeletStart, changed } = this.#dependencies
    return new ProbeWorker({
      environment,
      kind,
      probe,
      kubeletStart,
      isDue: () => (kind === 'startup') !== (this.result('startup') === true),
      probeOnce: (containerId, signal) => this.#probe(kind, probe, { containerId, signal }),
      changed,
    })
  }

  async #probe(
    kind: ProbeKind,
    probe: Probe,
    { containerId, signal }: { readonly containerId: string; readonly signal: AbortSignal },
  ): Promise<boolean | undefined> {
    const { clock } = this.#dependencies.environment
    const before = clock.monotonic()
    const target = {
      pod: this.#pod,
      container: this.#probed.container,
      containerId,
      address: this.#address,
      probe,
      signal,
    }
    try {
      const probed = await runProbe(target, this.#dependencies)
      if (signal.aborted) return undefined
      const isSuccess = this.#recordResult(kind, probed)
      const seconds = (clock.monotonic() - before) / 1000
      this.#dependencies.probeMetrics.count(this.#subject(kind), isSuccess ? 'successful' : 'failed', seconds)
      return isSuccess
    } catch (error) {
      if (!signal.aborted) this.#recordError(kind, error as ProbeError)
      return undefined
    }
  }

  #recordResult(kind: ProbeKind, { result, output }: ProbeResult): boolean {
    if (result === 'failure') this.#record('Unhealthy', `${probeKindNames[kind]} probe failed: ${output}`)
    if (result === 'warning') this.#record('ProbeWarning', `${probeKindNames[kind]} probe warning: ${output}`)
    return result !== 'failure'
  }

  #recordError(kind: ProbeKind, { message, state }: ProbeError): void {
    this.#record('Unhealthy', `${probeKindNames[kind]} probe errored and resulted in ${state} state: ${message}`)
  }

  #record(reason: string, message: string): void {
    this.#dependencies.events.record({
      about: this.#pod,
      fieldPath: this.#probed.fieldPath,
      type: 'Warning',
      reason,
      message,
    })
  }

  #subject(kind: ProbeKind): ProbeSubject {
    const { name = '', namespace = '', uid = '' } = this.#pod.metadata
    return { kind, container: this.#probed.container.name, pod: name, namespace, podUid: uid }
  }
}

/** Returns the stored status of this very container. */
function statusOf({ status }: Pod, name: string, id: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {}
  return [...containerStatuses, ...initContainerStatuses].find(
    (one) => one.name === name && one.containerID?.endsWith(`://${id}`),
  )
}

/** A restarted kubelet makes no container unready. */
function previousResult(kind: ProbeKind, status: ContainerStatus | undefined): boolean | undefined {
  if (kind === 'startup') return status?.started || undefined
  return kind === 'readiness' ? status?.ready : undefined
}
