import type { Pod } from '../../api/core/v1/pod.js'
import type { Environment } from '../../base/environment.js'
import type { Metrics } from '../../base/metrics.js'
import type { EventRecorder } from '../../client/events/event-recorder.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { ObservedPod } from '../runtime/observed-pod.js'
import { ContainerProber, type ContainerProberDependencies } from './container-prober.js'
import { networkActions, type ProbeActions } from './probe-actions.js'
import { type ProbeKind, probedContainers } from './probe-kind.js'
import { ProbeMetrics } from './probe-metrics.js'
import type { ProbeListener, Prober } from './prober.js'

export interface ProberDependencies {
  readonly environment: Environment
  readonly runtime: ContainerRuntime
  readonly events: EventRecorder
  readonly identity: Pick<NodeIdentity, 'hostAddresses'>
  /** Called when a pod must be synced. */
  readonly changed: ProbeListener
  /** Defaults to the host's network. */
  readonly actions?: ProbeActions
  /** Defaults to the metrics of the environment. */
  readonly metrics?: Metrics
}

export function prober(dependencies: ProberDependencies): Prober {
  return new PodProber(dependencies)
}

class PodProber implements Prober {
  readonly #changed: ProbeListener
  readonly #dependencies: Omit<ContainerProberDependencies, 'changed'>
  /** By pod uid. */
  readonly #pods = new Map<string, readonly ContainerProber[]>()
  /** By container id. */
  readonly #containers = new Map<string, ContainerProber>()

  constructor({ environment, runtime, events, identity, changed, actions, metrics }: ProberDependencies) {
    this.#changed = changed
    this.#dependencies = {
      environment,
      runtime,
      events,
      actions: actions ?? networkActions(environment.clock),
      probeMetrics: new ProbeMetrics(metrics ?? environment.metrics),
      kubeletStart: environment.clock.now(),
      hostAddress: identity.hostAddresses[0] ?? '',
    }
  }

  updatePod(pod: Pod, observed: ObservedPod): void {
    if (pod.metadata.deletionTimestamp) this.stopLivenessAndStartup(pod, observed)
    else for (const container of this.#probers(pod)) this.#update(container, pod, observed)
  }

  stopLivenessAndStartup(pod: Pod, observed?: ObservedPod): void {
    for (const container of this.#probers(pod)) {
      container.stopLivenessAndStartup()
      if (observed) this.#update(container, pod, observed)
    }
  }

  removePod(podUid: string): void {
    for (const container of this.#pods.get(podUid) ?? []) {
      container.close()
      if (container.containerId !== undefined) this.#containers.delete(container.containerId)
    }
    this.#pods.delete(podUid)
  }

  close(): void {
    for (const uid of [...this.#pods.keys()]) this.removePod(uid)
  }

  readiness(containerId: string): boolean | undefined {
    return this.#result('readiness', containerId)
  }

  startup(containerId: string): boolean | undefined {
    return this.#result('startup', containerId)
  }

  liveness(containerId: string): boolean | undefined {
    return this.#result('liveness', containerId)
  }

  #probers(pod: Pod): readonly ContainerProber[] {
    const uid = pod.metadata.uid!
    let probers = this.#pods.get(uid)
    if (!probers) {
      const dependencies = { ...this.#dependencies, changed: () => this.#changed(uid) }
      probers = probedContainers(pod).map((one) => new ContainerProber(pod, one, dependencies))
      this.#pods.set(uid, probers)
    }
    return probers
  }

  #update(container: ContainerProber, pod: Pod, observed: ObservedPod): void {
    const before = container.containerId
    container.update(pod, observed)
    const { containerId } = container
    if (before === containerId) return
    if (before !== undefined) this.#containers.delete(before)
    if (containerId !== undefined) this.#containers.set(containerId, container)
  }

  #result(kind: ProbeKind, containerId: string): boolean | undefined {
    const container = this.#containers.get(containerId)
    return container ? container.result(kind) : true
  }
}
