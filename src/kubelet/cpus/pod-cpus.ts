import type { Pod } from '../../api/core/v1/pod.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { CpuManager, PodOnCpus } from './cpu-manager.js'

/** Exclusive CPUs, as pod syncs use them. */
export interface PodCpus {
  /** Allocates the pod's CPUs. Other containers have moved away when this resolves. Rejects with a `CpuAdmissionError`. */
  ensure(pod: Pod): Promise<void>
  /** Releases the CPUs of a pod of which nothing runs. */
  release(podUid: string): Promise<void>
  /** Releases the CPUs of every pod that is not in `podUids`. */
  retain(podUids: ReadonlySet<string>): Promise<void>
}

export interface CpuReconcilerDependencies {
  readonly environment: Environment
  readonly manager: CpuManager
  /** Returns the pods as last observed. */
  readonly pods: () => Iterable<PodOnCpus>
  /** Milliseconds between two reconciles without changes. */
  readonly reconcilePeriod: number
}

/** Moves running containers to their CPUs, after every change and periodically. */
export class CpuReconciler implements PodCpus {
  readonly #dependencies: CpuReconcilerDependencies
  readonly #closing = new AbortController()

  constructor(dependencies: CpuReconcilerDependencies) {
    this.#dependencies = dependencies
    void this.#run()
  }

  ensure(pod: Pod): Promise<void> {
    return this.#changing((manager) => manager.allocate(pod))
  }

  release(podUid: string): Promise<void> {
    return this.#changing((manager) => manager.release(podUid))
  }

  retain(podUids: ReadonlySet<string>): Promise<void> {
    return this.#changing((manager) => manager.retain(podUids))
  }

  close(): void {
    this.#closing.abort()
  }

  async #changing(change: (manager: CpuManager) => Promise<void>): Promise<void> {
    const { manager } = this.#dependencies
    const before = shared(manager)
    await change(manager)
    if (shared(manager) !== before) await this.#reconcile()
  }

  async #run(): Promise<void> {
    const { environment, reconcilePeriod } = this.#dependencies
    const { signal } = this.#closing
    while (!signal.aborted) {
      await sleep(environment.clock, reconcilePeriod, signal).catch(() => {}) // only the signal rejects it
      if (!signal.aborted) await this.#reconcile()
    }
  }

  /** Errors are logged: the next reconcile tries again. */
  async #reconcile(): Promise<void> {
    const { environment, manager, pods } = this.#dependencies
    try {
      await manager.reconcile(pods())
    } catch (error) {
      environment.log.warn('CPU reconcile failed', { error })
    }
  }
}

/** Returns the shared CPUs. They change with every allocation and release. */
function shared(manager: CpuManager): string {
  return manager.cpusOf('', '')
}
