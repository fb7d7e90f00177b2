import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Deployment } from '../../api/apps/v1/deployment.js'
import { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import { Pod } from '../../api/core/v1/pod.js'
import { WriteFaultInjector } from '../../testing/faults/write-faults.js'
import { ControllerHarness } from '../harness.test.kit.js'
import { FakeKubelet } from '../pods/kubelet.test.kit.js'
import { isActive } from '../pods/readiness.js'
import { workload } from '../pods/scenario-objects.test.kit.js'

const controllers = ['deployment-controller', 'replicaset-controller']
const namespace = 'shop'

/** Seconds pass, and pods start and stop. */
async function pass(harness: ControllerHarness, kubelet: FakeKubelet, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await harness.clock.advance('1s')
    await harness.settle(kubelet.tick() ?? Promise.resolve())
  }
}

/** Where a rollout from one version to the next ends up. */
async function resultOf(harness: ControllerHarness, app: string) {
  const labelSelector = `app=${app}`
  const { items: pods } = await harness.client.resource(Pod).in(namespace).list({ labelSelector })
  const { items: sets } = await harness.client.resource(ReplicaSet).in(namespace).list({ labelSelector })
  const { metadata, status } = await harness.client.resource(Deployment).in(namespace).get(app)
  const revision = 'deployment.kubernetes.io/revision'
  return {
    pods: pods.filter(isActive).map(({ spec }) => spec.containers[0]!.image),
    sizes: sets.map(({ spec }) => spec.replicas).filter((size) => size! > 0),
    // A version that nobody saw before the kill has no revision.
    isLatest: metadata.annotations?.[revision] === String(sets.length),
    counts: {
      ...status,
      conditions: status.conditions?.map(({ type, status: is, reason }) => `${type} ${is} ${reason}`),
    },
  }
}

test('killed after any write and started again, a rollout ends where it would have ended', async () => {
  await using harness = await ControllerHarness.begin({ controllers, namespace })
  const kubelet = new FakeKubelet(harness)
  kubelet.options = { start: 1000, stop: 1000, broken: [], nodes: 2 }
  const deployments = harness.client.resource(Deployment).in(namespace)
  const runWith = async (app: string, writes: number) => {
    const fate = new WriteFaultInjector({ after: writes })
    await harness.settle(harness.stop())
    harness.start({ controllers, transport: fate.wrap })
    const given = workload(app, { replicas: '2', image: 'v1' }, (labels) => ({ matchLabels: labels }))
    await harness.settle(deployments.create(given as never))
    await pass(harness, kubelet, 3)
    const template = { spec: { containers: [{ name: 'main', image: 'v2' }] } }
    await harness.settle(deployments.patch(app, 'strategic', { spec: { template } }))
    await pass(harness, kubelet, 7)
    await harness.settle(harness.stop())
    harness.start({ controllers })
    await pass(harness, kubelet, 12)
    return fate.isDead
  }
  await runWith('undisturbed', Number.POSITIVE_INFINITY)
  const expected = await harness.settle(resultOf(harness, 'undisturbed'))
  assert.deepEqual(expected.pods, ['v2', 'v2'])
  let writes = 0
  while (await runWith(`web-${writes}`, writes)) {
    const found = await harness.settle(resultOf(harness, `web-${writes}`))
    assert.deepEqual(found, expected, `killed after ${writes} writes`)
    writes++
  }
  assert.ok(writes > 15, `only ${writes} writes`)
})
