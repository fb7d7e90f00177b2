import type { Pod } from '../../api/core/v1/pod.js'
import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { CpuManager, PodOnCpus } from './cpu-manager.js'

/** Cores of their own for those who are to have them, as the work on pods sees it. */
export interface PodCpus {
  /** Sets the pod's cores aside; who ran there has gone elsewhere when this resolves. Rejects with a `CpuRefusal`. */
  ensure(pod: Pod): Promise<void>
  /** Nothing of the pod runs any more. */
  release(podUid: string): Promise<void>
  /** Frees what pods have that are not among these. */
  retain(podUids: ReadonlySet<string>): Promise<void>
}

export interface CpuReconcilerDependencies {
  readonly environment: Environment
  readonly manager: CpuManager
  /** What runs now. */
  readonly pods: () => Iterable<PodOnCpus>
  /** Milliseconds after which all are told again where to run. */
  readonly reconcilePeriod: number
}

/** Moves what runs to where it belongs, with every change and now and then. */
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
      await sleep(environment.clock, reconcilePeriod, signal).catch(() => {}) // only the signal ends it early
      if (!signal.aborted) await this.#reconcile()
    }
  }

  /** What could not be moved is tried again with the next look. */
  async #reconcile(): Promise<void> {
    const { environment, manager, pods } = this.#dependencies
    try {
      await manager.reconcile(pods())
    } catch (error) {
      environment.log.warn('containers cannot be moved to other cores yet', { error })
    }
  }
}

/** The cores of those who have none of their own: with whatever is given or taken back, these change. */
function shared(manager: CpuManager): string {
  return manager.cpusOf('', '')
}
