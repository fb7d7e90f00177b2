import { describe, test } from 'node:test'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { Job } from '../../api/batch/v1/job.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { OwnerReference } from '../../api/meta/v1/object-meta.js'
import { PodDisruptionBudget, type PodDisruptionBudgetSpec } from '../../api/policy/v1/pod-disruption-budget.js'
import { formatTime } from '../../schema/values/time.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions, writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { isActive, isReady } from '../pods/readiness.js'

const controllers = ['disruption-controller', 'deployment-controller', 'replicaset-controller']
const namespace = 'default'

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, { controllers, view: viewOfBudgets }, script)
}

async function viewOfBudgets({ client }: TestCluster): Promise<readonly string[]> {
  const { items: budgets } = await client.resource(PodDisruptionBudget).list()
  const { items: pods } = await client.resource(Pod).list()
  const ready = pods.filter((pod) => isActive(pod) && isReady(pod)).length
  return [
    ...budgets.map(({ metadata, status }) => {
      const {
        currentHealthy,
        desiredHealthy,
        expectedPods,
        disruptionsAllowed,
        disruptedPods = {},
        conditions,
      } = status
      const [condition] = conditions ?? []
      const said = condition && [condition.reason, condition.message].filter(Boolean).join(': ')
      const counts = `${currentHealthy} healthy, ${desiredHealthy} wanted, ${expectedPods} expected`
      const waiting = Object.keys(disruptedPods).length
      return `Budget ${metadata.name}: ${counts}, ${disruptionsAllowed} may go (${said})${waiting ? `, ${waiting} are to go` : ''}`
    }),
    `Pods: ${pods.length}, of which ${ready} are ready`,
  ]
}

function makeBudget(
  { client }: TestCluster,
  name: string,
  spec: PodDisruptionBudgetSpec,
): Promise<PodDisruptionBudget> {
  const selector = { matchLabels: { app: 'web' } }
  return client.resource(PodDisruptionBudget).create({ metadata: { name, namespace }, spec: { selector, ...spec } })
}

function makeDeployment({ client }: TestCluster, replicas: number): Promise<Deployment> {
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'v1' }] } }
  return client
    .resource(Deployment)
    .create({ metadata: { name: 'web', namespace }, spec: { replicas, selector: { matchLabels: labels }, template } })
}

async function makePod({ client }: TestCluster, name: string, owner?: OwnerReference): Promise<void> {
  const metadata = { name, namespace, labels: { app: 'web' }, ...(owner && { ownerReferences: [owner] }) }
  await client.resource(Pod).create({ metadata, spec: { containers: [{ name: 'c', image: 'v1' }] } })
}

/** What kubelets do: pods that were deleted go, others become ready. */
async function run({ cluster, clock }: Transcript): Promise<void> {
  await finishPodDeletions(cluster)
  await clock.settle()
  await writePodStatuses(cluster, (pod) => isActive(pod) && !isReady(pod), { phase: 'Running' })
}

describe('a budget', () => {
  test('is updated during a rollout', () =>
    play('rollout', async (stage) => {
      const { cluster } = stage
      const deployments = cluster.client.resource(Deployment).in(namespace)
      await stage.step('a budget without pods', () => makeBudget(cluster, 'half', { maxUnavailable: '50%' }))
      await stage.step('a deployment of four', () => makeDeployment(cluster, 4))
      await stage.step('its pods are ready', () => run(stage))
      const template = { spec: { containers: [{ name: 'c', image: 'v2' }] } }
      await stage.step('another version', () => deployments.patch('web', 'strategic', { spec: { template } }))
      for (let i = 1; i <= 4; i++) await stage.step(`kubelets at work: ${i}`, () => run(stage))
      await stage.step('the budget allows less', () =>
        cluster.client
          .resource(PodDisruptionBudget)
          .in(namespace)
          .patch('half', 'merge', { spec: { maxUnavailable: 0 } }),
      )
      await stage.step('scaled to nothing', () => deployments.patch('web', 'merge', { spec: { replicas: 0 } }))
      await stage.step('kubelets at work', () => run(stage))
    }))

  test('waits two minutes for pods whose eviction was granted', () =>
    play('disrupted-pods', async (stage) => {
      const { cluster } = stage
      const { client, environment } = cluster
      await stage.step('three pods', async () => {
        await makeBudget(cluster, 'one', { minAvailable: 1 })
        for (const name of ['a', 'b', 'c']) await makePod(cluster, name)
      })
      await stage.step('they are ready', () => run(stage))
      await stage.step('two of them may go', () => {
        const time = formatTime(environment.clock.now())
        const status = { disruptedPods: { a: time, b: time }, disruptionsAllowed: 0 }
        const budgets = client.resource(PodDisruptionBudget).in(namespace).subresource('status')
        return budgets.patch('one', 'merge', { status })
      })
      await stage.step('one of them goes', () =>
        client.resource(Pod).in(namespace).delete('a', { gracePeriodSeconds: 0 }),
      )
      await stage.advance('2m')
      await stage.advance('1s')
    }))

  test('allows no disruption while the number of expected pods is unknown', () =>
    play('unknown-sizes', async (stage) => {
      const { cluster } = stage
      const { client } = cluster
      await stage.step('pods that nobody makes', async () => {
        await makeBudget(cluster, 'half', { maxUnavailable: '50%' })
        await makePod(cluster, 'alone')
      })
      await stage.step('a pod of a job, which has no size', async () => {
        const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'c', image: 'v1' }] } }
        const job = await client.resource(Job).create({ metadata: { name: 'j', namespace }, spec: { template } })
        const { uid = '' } = job.metadata
        await makePod(cluster, 'of-job', { apiVersion: 'batch/v1', kind: 'Job', name: 'j', uid, controller: true })
      })
      await stage.step('it goes', () => client.resource(Pod).in(namespace).delete('of-job', { gracePeriodSeconds: 0 }))
      await stage.step('a pod of something that has gone', () => {
        const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'gone', uid: 'u', controller: true }
        return makePod(cluster, 'orphan', owner)
      })
      await stage.step('and one of a kind that nobody knows', async () => {
        await client.resource(Pod).in(namespace).delete('orphan', { gracePeriodSeconds: 0 })
        await makePod(cluster, 'odd', {
          apiVersion: 'odd.example/v1',
          kind: 'Odd',
          name: 'o',
          uid: 'u',
          controller: true,
        })
      })
    }))

  test('causes an event if it shares pods with another one', () =>
    play('overlap', async (stage) => {
      const { cluster } = stage
      await stage.step('two budgets and a pod', async () => {
        await makeBudget(cluster, 'one', { minAvailable: 1 })
        await makeBudget(cluster, 'two', { minAvailable: 1 })
        await makePod(cluster, 'web')
      })
    }))

  test('causes an event when a pod changes that it comes to share', () =>
    play('late-overlap', async (stage) => {
      const { cluster } = stage
      const pods = cluster.client.resource(Pod).in(namespace)
      await stage.step('a pod and its budget', async () => {
        await makePod(cluster, 'web')
        await makeBudget(cluster, 'one', { minAvailable: 1 })
      })
      await stage.step('another budget', () => makeBudget(cluster, 'two', { minAvailable: 1 }))
      await stage.step('the pod changes', () =>
        pods.patch('web', 'merge', { metadata: { annotations: { looked: 'at' } } }),
      )
    }))
})

describe('a pod', () => {
  test('loses the condition DisruptionTarget if it stays', () =>
    checkTranscript(
      { of: import.meta.url, name: 'stale-condition' },
      { controllers: ['disruption-controller'], view: viewOfConditions },
      async (stage) => {
        const { cluster } = stage
        const pods = cluster.client.resource(Pod).in(namespace)
        const tell = (name: string, reason: string) => {
          const lastTransitionTime = formatTime(cluster.environment.clock.now())
          const conditions = [{ type: 'DisruptionTarget', status: 'True', reason, message: 'm', lastTransitionTime }]
          return pods.subresource('status').patch(name, 'merge', { status: { conditions } })
        }
        await stage.step('pods that are to go, and one that the kubelet ends', async () => {
          for (const name of ['stays', 'goes', 'ends']) await makePod(cluster, name)
          await tell('stays', 'PreemptionByScheduler')
          await tell('goes', 'PreemptionByScheduler')
          await tell('ends', 'TerminationByKubelet')
        })
        await stage.step('one goes', () => pods.delete('goes'))
        await stage.advance('119s')
        await stage.advance('1s')
        await stage.advance('1h')
      },
    ))
})

async function viewOfConditions({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(Pod).list()
  return items.map(({ metadata, status }) => {
    const said = status.conditions?.find(({ type }) => type === 'DisruptionTarget')
    const { status: is, reason, message, lastTransitionTime } = said ?? {}
    return `Pod ${metadata.name}: DisruptionTarget=${[is, reason, message, lastTransitionTime?.slice(11, 19)].filter(Boolean).join(' ')}`
  })
}
