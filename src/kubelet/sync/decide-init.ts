import { isRestartedAfter } from '../../api/core/v1/container/restarts.js'
import { isSidecar } from '../../api/core/v1/pod/resources.js'
import { type PodContainer, podContainers } from '../pods/pod-containers.js'
import { specificationHash } from '../runtime/labels.js'
import { newest, type ObservedContainer } from '../runtime/observed-pod.js'
import type { Kill, PodObservation } from './pod-actions.js'
import { isRestartedWhenUnhealthy } from './restart-policy.js'

export interface InitDecision {
  /** True if an init container failed for good. */
  readonly killsPod: boolean
  /** True if the main containers may start. */
  readonly isInitialized: boolean
  readonly kills: readonly Kill[]
  readonly starts: readonly PodContainer[]
}

/**
 * Init containers run one after the other, each to its end. Sidecars only need to have started before the next container, and keep running.
 * The last container with any observation shows the progress, because earlier ones may have been removed.
 */
export function decideInitContainers(observation: PodObservation): InitDecision {
  const init = podContainers(observation.pod).filter(({ type }) => type === 'init')
  if (init.length === 0) return { killsPod: false, isInitialized: true, kills: [], starts: [] }
  return new InitDecider(observation, init).decide()
}

class InitDecider {
  readonly #observation: PodObservation
  readonly #init: readonly PodContainer[]
  readonly #kills: Kill[] = []
  readonly #starts = new Set<number>()
  #isInitialized: boolean
  /** True once a later container has begun: of the earlier ones only sidecars matter then. */
  #isBehind: boolean

  constructor(observation: PodObservation, init: readonly PodContainer[]) {
    this.#observation = observation
    this.#init = init
    this.#isInitialized = hasMainContainer(observation)
    this.#isBehind = this.#isInitialized
  }

  decide(): InitDecision {
    for (let index = this.#init.length - 1; index >= 0; index--)
      if (this.#fails(index)) return { killsPod: true, isInitialized: false, kills: [], starts: [] }
    if (!this.#isBehind) this.#starts.add(0)
    const starts = [...this.#starts].sort((one, other) => one - other).map((index) => this.#init[index]!)
    return { killsPod: false, isInitialized: this.#isInitialized, kills: this.#kills, starts }
  }

  /** Returns true if the pod has failed because of this container. */
  #fails(index: number): boolean {
    const { container } = this.#init[index]!
    const last = newest(this.#observation.observed, container.name)
    if (!last) {
      if (this.#isBehind && isSidecar(container)) this.#starts.add(index)
      return false
    }
    if (this.#isBehind && !isSidecar(container)) return false
    const fails = isSidecar(container) ? this.#lookAtSidecar(index, last) : this.#lookAtInit(index, last)
    this.#isBehind = true
    return fails
  }

  #lookAtInit(index: number, last: ObservedContainer): boolean {
    const { pod } = this.#observation
    const { container } = this.#init[index]!
    switch (last.state) {
      case 'running':
        return false
      case 'created':
        this.#starts.add(index)
        return false
      case 'exited':
        if (last.exitCode === 0) this.#passed(index)
        else if (isRestartedAfter(container, pod.spec, last.exitCode)) this.#starts.add(index)
        else return true
        return false
      case 'unknown':
        if (!isRestartedWhenUnhealthy(pod, container)) return true
        this.#restart(index, last, { message: 'Init container is in "unknown" state, try killing it before restart' })
        return false
    }
  }

  #lookAtSidecar(index: number, last: ObservedContainer): false {
    if (last.state === 'running') this.#lookAtRunningSidecar(index, last)
    else if (last.state === 'unknown')
      this.#restart(index, last, { message: 'Init container is in "unknown" state, try killing it before restart' })
    else this.#starts.add(index)
    return false
  }

  #lookAtRunningSidecar(index: number, last: ObservedContainer): void {
    const { probes } = this.#observation
    const { container } = this.#init[index]!
    const { name } = container
    const startup = container.startupProbe ? probes.startup(last.id) : true
    if (startup === false)
      this.#restart(index, last, { message: `Init container ${name} failed startup probe`, reason: 'StartupProbe' })
    if (startup !== true) return
    if (!this.#isBehind || index === this.#init.length - 1) this.#passed(index)
    if (last.specificationHash !== specificationHash(container))
      this.#restart(index, last, { message: `Init container ${name} definition changed` })
    else if (container.livenessProbe && probes.liveness(last.id) === false)
      this.#restart(index, last, { message: `Init container ${name} failed liveness probe`, reason: 'LivenessProbe' })
  }

  /** Lets the next container start. */
  #passed(index: number): void {
    if (index === this.#init.length - 1) this.#isInitialized = true
    else this.#starts.add(index + 1)
  }

  #restart(index: number, target: ObservedContainer, kill: Partial<Pick<Kill, 'message' | 'reason'>>): void {
    this.#kills.push({ target, container: this.#init[index]!, message: undefined, reason: 'Other', ...kill })
    this.#starts.add(index)
  }
}

/** Returns whether a main container exists. Then all init containers have completed, even if they were removed since. */
function hasMainContainer({ pod, observed }: PodObservation): boolean {
  return podContainers(pod).some(({ type, container }) => {
    const state = newest(observed, container.name)?.state
    // Exited ones may belong to an earlier sandbox.
    return type === 'container' && (state === 'created' || state === 'running')
  })
}
