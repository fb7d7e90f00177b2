import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ControllerRevision } from '../../api/apps/v1/controller-revision.js'
import { DaemonSet } from '../../api/apps/v1/daemon-set.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestCluster } from '../../testing/cluster.js'
import { withControllers } from '../../testing/controllers/interrupted-controllers.js'
import { newRevision, revisionHash } from './history.js'

test('a revision whose name is taken by another gets another name', async () => {
  const clock = new VirtualClock()
  const surroundings = environment({ clock, random: seededRandom(1) })
  await using cluster = await startTestCluster({ controllers: [], environment: surroundings })
  const { client } = cluster
  const labels = { app: 'd' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'first' }] } }
  const metadata = { name: 'd', namespace: 'default' }
  const sets = client.resource(DaemonSet).in('default')
  const revisions = client.resource(ControllerRevision).in('default')
  const set = await sets.create({ metadata, spec: { selector: { matchLabels: labels }, template } })
  const taken = newRevision(set, 1).metadata.name!
  await revisions.create({ metadata: { name: taken }, revision: 1, data: { of: 'somebody else' } })
  await withControllers(cluster, { controllers: ['daemonset-controller'] }, () => clock.advance('1m'))
  assert.equal((await sets.get('d')).status.collisionCount, 1)
  const made = (await revisions.list()).items.filter((revision) => revision.metadata.name !== taken)
  assert.deepEqual(
    made.map((revision) => [revision.revision, revision.metadata.name]),
    [[1, `d-${revisionHash(made[0]!)}`]],
  )
})
