import { sleep } from '../../base/clock.js'
import type { Environment } from '../../base/environment.js'
import type { PodCpus } from '../cpus/pod-cpus.js'
import type { Orphans } from './orphans.js'
import type { PodSources } from './pod-sources.js'
import type { PodWorkers } from './pod-workers.js'

export interface HousekeepingDependencies {
  readonly environment: Environment
  /** Must be synced: before that, no pod is known to be orphaned. */
  readonly sources: PodSources
  readonly workers: PodWorkers
  readonly orphans: Orphans
  readonly cpus?: PodCpus | undefined
  /** Milliseconds. */
  readonly sweepPeriod: number
}

/** Cleans up orphaned pods, CPUs and mirror pods at the start and then periodically. */
export class Housekeeping {
  readonly #dependencies: HousekeepingDependencies
  readonly #closing = new AbortController()
  readonly #finished: Promise<void>

  constructor(dependencies: HousekeepingDependencies) {
    this.#dependencies = dependencies
    this.#finished = this.#run()
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the kubelet is shutting down'))
    await this.#finished
  }

  async #run(): Promise<void> {
    const { environment, sweepPeriod } = this.#dependencies
    const { signal } = this.#closing
    while (!signal.aborted) {
      await this.#sweep().catch((error: unknown) => {
        if (!signal.aborted) environment.log.error('housekeeping failed', { error })
      })
      await sleep(environment.clock, sweepPeriod, signal).catch(() => {}) // only the signal rejects it
    }
  }

  async #sweep(): Promise<void> {
    const { orphans, sources, workers, cpus } = this.#dependencies
    await orphans.sweep((uid) => workers.get(uid) !== undefined)
    const active = workers.all().filter(({ isActive }) => isActive)
    await cpus?.retain(new Set(active.map(({ state }) => state.uid)))
    await sources.removeStrayMirrors()
  }
}
