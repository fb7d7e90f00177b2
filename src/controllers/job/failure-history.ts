import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { keyOf } from '../../client/informers/informer.js'
import { endedBefore } from './job-state.js'
import { type FailureStreak, noStreak, streakAfter } from './retry-delay.js'

interface KnownFailures {
  readonly uid: string
  readonly failures: FailureStreak
}

/**
 * The failures since the last success, by job. The controller must remember them because failed pods may be deleted. A new process reads them
 * from the pods that still exist.
 */
export class FailureHistory {
  readonly #byKey = new Map<string, KnownFailures>()

  failuresOf(job: Job, pods: readonly Pod[]): FailureStreak {
    const known = this.#byKey.get(keyOf(job))
    return known?.uid === job.metadata.uid ? known!.failures : streakAfter(noStreak, endedBefore(job, pods))
  }

  remember(job: Job, failures: FailureStreak): void {
    this.#byKey.set(keyOf(job), { uid: job.metadata.uid!, failures })
  }

  forget(key: string): void {
    this.#byKey.delete(key)
  }
}
