import { describe, test } from 'node:test'
import { Job, type JobSpec } from '../../api/batch/v1/job.js'
import { Binding } from '../../api/core/v1/binding.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions, type PodStatusOptions, writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { isActive } from '../pods/readiness.js'
import { completionIndexOf } from './tracked-pods.js'
import { viewOfJobs } from './view.test.kit.js'

const options = { controllers: ['job-controller'], view: viewOfJobs }

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, options, script)
}

function make({ client }: TestCluster, spec: Partial<JobSpec>): Promise<Job> {
  const container = { name: 'c', image: 'work' }
  const template = { spec: { restartPolicy: 'Never', containers: [container] } }
  const metadata = { name: 'j', namespace: 'default' }
  return client.resource(Job).create({ metadata, spec: { template, ...spec } as JobSpec })
}

function change({ client }: TestCluster, spec: Partial<JobSpec>): Promise<Job> {
  return client.resource(Job).in('default').patch('j', 'merge', { spec })
}

/** Of those that run: all, or those of some indexes. */
function pods(cluster: TestCluster, status: PodStatusOptions, ...indexes: readonly number[]): Promise<number> {
  const isMeant = (pod: Pod) => isActive(pod) && (indexes.length === 0 || indexes.includes(completionIndexOf(pod)!))
  return writePodStatuses(cluster, isMeant, status)
}

function isCalled(name: string): (pod: Pod) => boolean {
  return ({ metadata }) => metadata.name === name
}

const failed = { phase: 'Failed' } as const
const succeeded = { phase: 'Succeeded' } as const
const running = { phase: 'Running' } as const

describe('a job', () => {
  test('succeeds', () =>
    play('success', async (stage) => {
      const { cluster } = stage
      await stage.step('a job of three, two at a time', () => make(cluster, { completions: 3, parallelism: 2 }))
      await stage.step('both run', () => pods(cluster, running))
      await stage.step('both succeed', () => pods(cluster, succeeded))
      await stage.step('the third one succeeds', () => pods(cluster, succeeded))
      await stage.advance('1h')
    }))

  test('whose pods fail is given up after its limit', () =>
    play('backoff-limit', async (stage) => {
      const { cluster } = stage
      await stage.step('a job that may fail twice', () => make(cluster, { backoffLimit: 2 }))
      await stage.step('its pod fails', () => pods(cluster, failed))
      await stage.advance('9s')
      await stage.advance('1s')
      await stage.step('it fails again', () => pods(cluster, failed))
      await stage.advance('19s')
      await stage.advance('1s')
      await stage.step('it fails once more', () => pods(cluster, failed))
      await stage.advance('1h')
    }))

  test('waits after failures though its loop is started anew', () =>
    play('restarted-loop', async (stage) => {
      const { cluster } = stage
      await stage.step('a job', () => make(cluster, {}))
      await stage.step('its pod fails', () => pods(cluster, failed))
      await stage.advance('10s')
      await stage.step('it fails again', () => pods(cluster, failed))
      await stage.advance('5s')
      await stage.step('the loop is started anew', () => cluster.restartControllers())
      await stage.advance('14s')
      await stage.advance('1s')
    }))

  test('lets go of its pods when it is gone, and takes those that nobody owns', () =>
    play('orphans', async (stage) => {
      const { cluster } = stage
      const jobs = cluster.client.resource(Job).in('default')
      const selector = { matchLabels: { work: 'w' } }
      const template = {
        metadata: { labels: { work: 'w' } },
        spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'work' }] },
      }
      const spec: JobSpec = { manualSelector: true, selector, template, parallelism: 2, completions: 2 }
      const metadata = { name: 'j', namespace: 'default' }
      await stage.step('a job that chooses its pods by labels', () => jobs.create({ metadata, spec }))
      await stage.step('it is deleted, its pods are not', () => orphan(cluster))
      await stage.step('another one of the same choice', () => jobs.create({ metadata, spec }))
      await stage.step('one of them gets other labels', () =>
        cluster.client
          .resource(Pod)
          .in('default')
          .patch(stage.nameOf('j-b'), 'merge', { metadata: { labels: { work: 'x' } } }),
      )
    }))

  test('that somebody else runs is let be', () =>
    play('managed-elsewhere', async (stage) => {
      await stage.step('a job of another controller', () => make(stage.cluster, { managedBy: 'example.com/other' }))
      await stage.advance('1h')
    }))

  test('that fails takes what runs with it', () =>
    play('failing-together', async (stage) => {
      const { cluster } = stage
      await stage.step('three at a time, none may fail', () =>
        make(cluster, { parallelism: 3, completions: 9, backoffLimit: 0 }),
      )
      await stage.step('all are bound and run', async () => {
        await bind(cluster)
        await pods(cluster, running)
      })
      await stage.step('one fails', () => writePodStatuses(cluster, isCalled(stage.nameOf('j-b')), failed))
      await stage.step('the others have stopped', () => finishPodDeletions(cluster))
    }))

  test('of indexes, each of which has its own limit', () =>
    play('limits-per-index', async (stage) => {
      const { cluster } = stage
      await stage.step('three indexes, each of which may fail once', () =>
        make(cluster, { completionMode: 'Indexed', completions: 3, parallelism: 3, backoffLimitPerIndex: 1 }),
      )
      await stage.step('0 succeeds, 1 fails', async () => {
        await pods(cluster, succeeded, 0)
        await pods(cluster, failed, 1)
      })
      await stage.advance('5s')
      await stage.step('2 fails', () => pods(cluster, failed, 2))
      await stage.advance('5s')
      await stage.advance('5s')
      await stage.step('1 fails again, and that is it for 1', () => pods(cluster, failed, 1))
      await stage.step('2 succeeds', () => pods(cluster, succeeded, 2))
    }))

  test('is suspended and resumed', () =>
    play('suspension', async (stage) => {
      const { cluster } = stage
      await stage.step('a suspended job with a deadline', () =>
        make(cluster, { suspend: true, parallelism: 2, completions: 2, activeDeadlineSeconds: 60 }),
      )
      await stage.advance('1h')
      await stage.step('it is resumed', () => change(cluster, { suspend: false }))
      await stage.advance('40s')
      await stage.step('one succeeds', () => writePodStatuses(cluster, isCalled(stage.nameOf('j-a')), succeeded))
      await stage.step('it is suspended', () => change(cluster, { suspend: true }))
      await stage.advance('1h')
      await stage.step('it is resumed: its time begins anew', () => change(cluster, { suspend: false }))
      await stage.advance('59s')
      await stage.advance('1s')
    }))

  test('ends early by its policy for success', () =>
    play('success-policy', async (stage) => {
      const { cluster } = stage
      const successPolicy = { rules: [{ succeededIndexes: '0' }] }
      await stage.step('four indexes, the first of which decides', () =>
        make(cluster, { completionMode: 'Indexed', completions: 4, parallelism: 3, successPolicy }),
      )
      await stage.step('all are bound and run', async () => {
        await bind(cluster)
        await pods(cluster, running)
      })
      await stage.step('1 succeeds', () => pods(cluster, succeeded, 1))
      await stage.step('0 succeeds', () => pods(cluster, succeeded, 0))
      await stage.step('the others have stopped', () => finishPodDeletions(cluster))
    }))

  test('judges failures by its policy', () =>
    play('failure-policy', async (stage) => {
      const { cluster } = stage
      const podFailurePolicy: JobSpec['podFailurePolicy'] = {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
          { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
        ],
      }
      await stage.step('a job that may not fail', () => make(cluster, { backoffLimit: 0, podFailurePolicy }))
      await stage.step('its pod is evicted', () =>
        pods(cluster, { phase: 'Failed', exitCode: 137, conditions: ['DisruptionTarget'] }),
      )
      await stage.advance('10s')
      await stage.step('the next one is bound and deleted', async () => {
        await bind(cluster)
        await deletePods(cluster)
      })
      await stage.step('it ends with a code that is fatal', () =>
        writePodStatuses(cluster, ({ metadata }) => metadata.deletionTimestamp !== undefined, {
          phase: 'Failed',
          exitCode: 42,
        }),
      )
      await stage.step('it is gone', () => finishPodDeletions(cluster))
    }))

  test('replaces pods that are deleted', () =>
    play('deleted-pods', async (stage) => {
      const { cluster } = stage
      await stage.step('two at a time', () => make(cluster, { parallelism: 2, completions: 2 }))
      await stage.step('both are bound and deleted', async () => {
        await bind(cluster)
        await deletePods(cluster)
      })
      await stage.advance('20s')
      await stage.step('the first two have stopped', () => finishPodDeletions(cluster))
      await stage.step('one of the others runs', () =>
        writePodStatuses(cluster, isCalled(stage.nameOf('j-c')), running),
      )
      await stage.step('fewer at a time', () => change(cluster, { parallelism: 1 }))
    }))
})

/** What the garbage collector makes of a job that is deleted without its pods. */
async function orphan({ client }: TestCluster): Promise<void> {
  await client.resource(Job).in('default').delete('j', { propagationPolicy: 'Background' })
  const all = client.resource(Pod).in('default')
  for (const { metadata } of (await all.list()).items)
    await all.patch(metadata.name!, 'merge', { metadata: { ownerReferences: null } })
}

/** To a node: a pod that is nowhere goes at once when it is deleted. */
async function bind({ client }: TestCluster): Promise<void> {
  const all = client.resource(Pod).in('default')
  for (const { metadata, spec } of (await all.list()).items)
    if (!spec.nodeName) {
      const target = { apiVersion: 'v1', kind: 'Node', name: 'na' }
      await client
        .resource(Pod)
        .in('default')
        .subresource('binding', Binding)
        .create({ metadata: { name: metadata.name! }, target })
    }
}

async function deletePods({ client }: TestCluster): Promise<void> {
  const all = client.resource(Pod).in('default')
  for (const pod of (await all.list()).items) if (isActive(pod)) await all.delete(pod.metadata.name!)
}
