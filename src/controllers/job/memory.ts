import type { Job } from '../../api/batch/v1/job.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { keyOf } from '../../client/informers/informer.js'
import { type Failures, failuresAfter, noFailures } from './retry-delay.js'
import { endedBefore } from './situation.js'

interface Remembered {
  readonly uid: string
  readonly failures: Failures
}

/**
 * How often in a row pods of each job failed. It is the only thing that the loop remembers, and only because pods that failed may be gone:
 * a loop that begins anew takes it from the pods that are still there.
 */
export class Memory {
  readonly #byKey = new Map<string, Remembered>()

  failuresOf(job: Job, pods: readonly Pod[]): Failures {
    const known = this.#byKey.get(keyOf(job))
    return known?.uid === job.metadata.uid ? known!.failures : failuresAfter(noFailures, endedBefore(job, pods))
  }

  remember(job: Job, failures: Failures): void {
    this.#byKey.set(keyOf(job), { uid: job.metadata.uid!, failures })
  }

  forget(key: string): void {
    this.#byKey.delete(key)
  }
}
