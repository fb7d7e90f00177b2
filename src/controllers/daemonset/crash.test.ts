import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import { ServiceAccount } from '../../api/core/v1/service-account.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster, type TestCluster } from '../../testing/cluster.js'
import { withControllers } from '../../testing/controllers/interrupted-controllers.js'
import { writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { isActive } from '../pods/readiness.js'
import { nodeNameOf } from './daemon-pod.js'

const controllers = ['daemonset-controller']

test('a daemon set comes to the same end, after whichever write its loop is killed', async () => {
  const clock = new VirtualClock()
  const surroundings = environment({ clock, random: seededRandom(1) })
  await using cluster = await startTestCluster({ controllers: [], environment: surroundings })
  await prepare(cluster)
  const live = async () => {
    for (let round = 0; round < 4; round++) {
      await clock.advance('5s')
      await writePodStatuses(cluster, isActive, { phase: 'Running' })
    }
  }
  // With the first one it has written down what the set described at first.
  for (let writes = 1; writes <= 14; writes++) {
    const name = `d${writes}`
    await make(cluster, name)
    await withControllers(cluster, { controllers, writes }, live)
    await setImage(cluster, name)
    await withControllers(cluster, { controllers, writes }, live)
    await withControllers(cluster, { controllers }, live)
    assert.deepEqual(await ending(cluster, name), expected, `killed after ${writes} writes`)
    await remove(cluster, name)
  }
})

const expected = {
  pods: ['na second', 'nb second'],
  revisions: 2,
  status: {
    currentNumberScheduled: 2,
    desiredNumberScheduled: 2,
    numberAvailable: 2,
    numberMisscheduled: 0,
    numberReady: 2,
    observedGeneration: 2,
    updatedNumberScheduled: 2,
  },
}

async function prepare({ client }: TestCluster): Promise<void> {
  await client.resource(ServiceAccount).create({ metadata: { name: 'default', namespace: 'default' } })
  for (const name of ['na', 'nb']) {
    await client.resource(Node).create({ metadata: { name } })
    await client.resource(Node).patch(name, 'merge', { spec: { taints: null } })
  }
}

async function make({ client }: TestCluster, name: string): Promise<void> {
  const labels = { app: name }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'first' }] } }
  const metadata = { name, namespace: 'default' }
  await client.resource(DaemonSet).create({ metadata, spec: { selector: { matchLabels: labels }, template } })
}

async function setImage({ client }: TestCluster, name: string): Promise<void> {
  const template = { spec: { containers: [{ name: 'c', image: 'second' }] } }
  await client.resource(DaemonSet).in('default').patch(name, 'strategic', { spec: { template } })
}

async function ending({ client }: TestCluster, name: string): Promise<object> {
  const labelSelector = `app=${name}`
  const pods = await client.resource(Pod).in('default').list({ labelSelector })
  const revisions = await client.resource(ControllerRevision).in('default').list({ labelSelector })
  const { status } = await client.resource(DaemonSet).in('default').get(name)
  const shown = pods.items.map((pod) => `${nodeNameOf(pod)} ${pod.spec.containers[0]?.image}`)
  return { pods: shown.sort(), revisions: revisions.items.length, status }
}

async function remove({ client }: TestCluster, name: string): Promise<void> {
  await client.resource(DaemonSet).in('default').delete(name)
  await client.resource(Pod).in('default').deleteCollection({}, { gracePeriodSeconds: 0 })
}
