import { join } from 'node:path'
import type { Container } from '../../api/core/v1/container.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { isCriError } from '../../cri/cri-error.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import type { NodeIdentity } from '../node/node-identity.js'
import type { ObservedContainer, ObservedPod } from '../runtime/observed-pod.js'
import { type CpuState, readCheckpoint, verifyState, writeCheckpoint } from './cpu-checkpoint.js'
import { CpuShortageError, chooseCpus } from './cpu-choice.js'
import { CpuSet } from './cpu-set.js'
import { allCpus, type CpuTopology, hostTopology } from './cpu-topology.js'
import { allocateExclusive } from './exclusive-cpus.js'

/** Allocates CPUs exclusively to containers; all others share the rest (`--cpu-manager-policy=static`). */
export interface CpuManager {
  /** Number of CPUs that can be allocated. */
  readonly wholeCores: number
  /** Allocates CPUs for the pod's containers. A pod keeps CPUs that it has. Rejects with a `CpuAdmissionError`. */
  allocate(pod: Pod): Promise<void>
  /** Releases the CPUs of a pod. Does nothing if it has none. */
  release(podUid: string): Promise<void>
  /** Releases the CPUs of every pod that is not in `podUids`. */
  retain(podUids: ReadonlySet<string>): Promise<void>
  /** Returns the CPUs of a container, in the kernel's notation. */
  cpusOf(podUid: string, container: string): string
  /** Returns whether the container, or any container of the pod, has exclusive CPUs. */
  hasExclusive(pod: Pod, container?: Container): boolean
  /** Moves running containers to their current CPUs. */
  reconcile(pods: Iterable<PodOnCpus>): Promise<void>
}

/** The part of an `ObservedPod` that matters here. */
export interface PodOnCpus extends Pick<ObservedPod, 'uid'> {
  readonly containers: readonly Pick<ObservedContainer, 'id' | 'name' | 'state'>[]
}

/** The pod cannot run here. Reason and message appear in its status. */
export class CpuAdmissionError extends Error {
  override readonly name = 'CpuRefusal'
  readonly reason = 'UnexpectedAdmissionError'

  constructor({ message }: CpuShortageError) {
    super(`Allocate failed due to ${message}, which is unexpected`)
  }
}

export interface CpuManagerDependencies {
  readonly runtime: Pick<ContainerRuntime, 'updateContainerResources'>
  readonly identity: Pick<NodeIdentity, 'rootFolder'>
  /** CPUs for the node itself: a number, or a set (`--reserved-cpus`). At least one. */
  readonly reserved: number | CpuSet
  readonly topology?: CpuTopology
}

const policy = 'static'

/** Restores the last checkpoint. Throws if it does not match the host. */
export function cpuManager(dependencies: CpuManagerDependencies): CpuManager {
  return new StaticCpuManager(dependencies)
}

/** Path of the checkpoint, with upstream's name. */
export function cpuStateFile({ rootFolder }: Pick<NodeIdentity, 'rootFolder'>): string {
  return join(rootFolder, 'cpu_manager_state')
}

class StaticCpuManager implements CpuManager {
  readonly #runtime: CpuManagerDependencies['runtime']
  readonly #file: string
  readonly #topology: CpuTopology
  readonly #reserved: CpuSet
  #state: CpuState
  /** Serializes changes: each one is on disk before the next begins. */
  #changing: Promise<void> = Promise.resolve()
  /** CPU sets that this kubelet has sent to the runtime, by container. */
  #reported = new Map<string, string>()

  constructor({ runtime, identity, reserved, topology = hostTopology() }: CpuManagerDependencies) {
    this.#runtime = runtime
    this.#file = cpuStateFile(identity)
    this.#topology = topology
    const all = allCpus(topology)
    this.#reserved = typeof reserved === 'number' ? chooseCpus(topology, all, reserved) : reserved
    if (this.#reserved.size === 0)
      throw new Error('the static policy requires systemreserved.cpu + kubereserved.cpu to be greater than zero')
    const known = readCheckpoint(this.#file)
    if (known) verifyState(known, { policy, all, reserved: this.#reserved, file: this.#file })
    this.#state = known ?? { policy, shared: all, exclusive: new Map() }
  }

  get wholeCores(): number {
    return this.#topology.length - this.#reserved.size
  }

  allocate(pod: Pod): Promise<void> {
    return this.#change(({ shared, exclusive }) => {
      const uid = pod.metadata.uid ?? ''
      const held = exclusive.get(uid) ?? new Map<string, CpuSet>()
      const shares = this.#sharesOf(pod, { free: shared.without(this.#reserved), held })
      if (shares.size === held.size) return undefined
      return {
        shared: shared.without(CpuSet.none.union(...shares.values())),
        exclusive: new Map([...exclusive, [uid, shares]]),
      }
    })
  }

  release(podUid: string): Promise<void> {
    return this.#free((uid) => uid === podUid)
  }

  retain(podUids: ReadonlySet<string>): Promise<void> {
    return this.#free((uid) => !podUids.has(uid))
  }

  cpusOf(podUid: string, container: string): string {
    return (this.#state.exclusive.get(podUid)?.get(container) ?? this.#state.shared).toString()
  }

  hasExclusive({ metadata }: Pod, container?: Container): boolean {
    const ofPod = this.#state.exclusive.get(metadata.uid ?? '')
    return ofPod !== undefined && (container === undefined || ofPod.has(container.name))
  }

  async reconcile(pods: Iterable<PodOnCpus>): Promise<void> {
    const reported = new Map<string, string>()
    const updates: Promise<void>[] = []
    for (const { uid, containers } of pods)
      for (const { id, name, state } of containers) {
        if (state !== 'running') continue
        const before = this.#reported.get(id)
        if (before !== undefined) reported.set(id, before)
        const cpus = this.cpusOf(uid, name)
        if (before !== cpus) updates.push(this.#report(id, cpus, reported))
      }
    this.#reported = reported
    const failed = (await Promise.allSettled(updates)).find((update) => update.status === 'rejected')
    if (failed) throw failed.reason
  }

  /** Ignores containers that have exited in the meantime. */
  async #report(containerId: string, cpus: string, reported: Map<string, string>): Promise<void> {
    try {
      await this.#runtime.updateContainerResources({ containerId, linux: { cpusetCpus: cpus } })
      reported.set(containerId, cpus)
    } catch (error) {
      if (!isCriError(error, 'NotFound')) throw error
    }
  }

  #sharesOf(pod: Pod, pool: { readonly free: CpuSet; readonly held: ReadonlyMap<string, CpuSet> }) {
    try {
      return allocateExclusive(pod, { ...pool, topology: this.#topology })
    } catch (error) {
      throw error instanceof CpuShortageError ? new CpuAdmissionError(error) : error
    }
  }

  #free(isGone: (uid: string) => boolean): Promise<void> {
    return this.#change(({ shared, exclusive }) => {
      const gone = [...exclusive].filter(([uid]) => isGone(uid))
      if (gone.length === 0) return undefined
      const freed = gone.flatMap(([, containers]) => [...containers.values()])
      return {
        shared: shared.union(...freed),
        exclusive: new Map([...exclusive].filter(([uid]) => !isGone(uid))),
      }
    })
  }

  #change(make: (state: CpuState) => Omit<CpuState, 'policy'> | undefined): Promise<void> {
    const change = this.#changing.then(async () => {
      const made = make(this.#state)
      if (!made) return
      const state = { policy, ...made }
      await writeCheckpoint(this.#file, state)
      this.#state = state
    })
    // The caller gets the error; later changes continue.
    this.#changing = change.catch(() => undefined)
    return change
  }
}
