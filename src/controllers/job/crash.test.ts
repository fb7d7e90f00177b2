import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Job, type JobSpec } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster, type TestCluster } from '../../testing/cluster.js'
import { withControllers } from '../../testing/controllers/interrupted-controllers.js'
import { writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { isActive } from '../pods/readiness.js'
import { completionIndexOf, isTracked } from './tracked-pods.js'

/** What all runs share. */
class CrashHarness implements AsyncDisposable {
  readonly #cluster: TestCluster
  readonly #clock: VirtualClock

  private constructor(cluster: TestCluster, clock: VirtualClock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  static async begin(): Promise<CrashHarness> {
    const clock = new VirtualClock()
    const surroundings = environment({ clock, random: seededRandom(1) })
    const cluster = await startTestCluster({ controllers: [], environment: surroundings })
    await cluster.client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
    return new CrashHarness(cluster, clock)
  }

  /** Runs the job to its end with a loop that is killed after so many writes, and another one after it. Gives what is there then. */
  async run(name: string, spec: Partial<JobSpec>, writes: number): Promise<object> {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work' }] } }
    const metadata = { name, namespace: 'default' }
    await this.#cluster.client.resource(Job).create({ metadata, spec: { template, ...spec } as JobSpec })
    const controllers = ['job-controller']
    await withControllers(this.#cluster, { controllers, writes }, () => this.#live(name))
    await withControllers(this.#cluster, { controllers }, () => this.#live(name))
    const { status } = await this.#cluster.client.resource(Job).in('default').get(name)
    const pods = await this.#podsOf(name)
    await this.#cluster.client.resource(Job).in('default').delete(name, { propagationPolicy: 'Background' })
    await this.#cluster.client.resource(Pod).in('default').deleteCollection({}, { gracePeriodSeconds: 0 })
    const { startTime: _, completionTime: __, conditions = [], ...counts } = status
    const ends = conditions.map(({ type, reason }) => `${type} ${reason}`)
    return { ...counts, ends, pods: pods.length, tracked: pods.filter(isTracked).length }
  }

  /** The first pod of index 1, or the first of all, fails; all others succeed. */
  async #live(name: string): Promise<void> {
    for (let round = 0; round < 6; round++) {
      await this.#clock.advance('15s')
      const pods = await this.#podsOf(name)
      const isFirst = (pod: Pod) =>
        (completionIndexOf(pod) ?? 1) === 1 && !pods.some((other) => other.status.phase === 'Failed')
      const unlucky = pods.filter(isActive).find(isFirst)?.metadata.uid
      await writePodStatuses(this.#cluster, ({ metadata }) => metadata.uid === unlucky, { phase: 'Failed' })
      const isMeant = (pod: Pod) => isActive(pod) && isOf(name, pod) && pod.metadata.uid !== unlucky
      await writePodStatuses(this.#cluster, isMeant, { phase: 'Succeeded' })
    }
  }

  async #podsOf(name: string): Promise<readonly Pod[]> {
    const { items } = await this.#cluster.client.resource(Pod).list()
    return items.filter((pod) => isOf(name, pod))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.close()
  }
}

function isOf(name: string, { metadata }: Pod): boolean {
  return metadata.labels?.['job-name'] === name
}

describe('a job ends the same way', () => {
  for (const [what, spec, expected] of [
    [
      'of three pods',
      { completions: 3, parallelism: 2 },
      {
        succeeded: 3,
        failed: 1,
        ends: ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'],
        pods: 4,
      },
    ],
    [
      'of three indexes',
      { completionMode: 'Indexed', completions: 3, parallelism: 2, backoffLimitPerIndex: 1 },
      {
        succeeded: 3,
        failed: 1,
        completedIndexes: '0-2',
        failedIndexes: '',
        ends: ['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached'],
        pods: 4,
      },
    ],
    [
      'that fails',
      { completions: 3, parallelism: 1, backoffLimit: 0 },
      { failed: 1, ends: ['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded'], pods: 1 },
    ],
  ] as const)
    test(`${what}, after whichever write its loop is killed`, async () => {
      await using harness = await CrashHarness.begin()
      for (let writes = 0; writes <= 18; writes++) {
        const actual = await harness.run(`j${writes}`, spec, writes)
        const whole = { ready: 0, terminating: 0, uncountedTerminatedPods: {}, tracked: 0, ...expected }
        assert.deepEqual(actual, whole, `killed after ${writes} writes`)
      }
    })
})
