import assert from 'node:assert/strict'
import type { Deployment } from '../../api/apps/v1/deployment.js'
import type { ReplicaSet } from '../../api/apps/v1/replica-set.js'
import type { Pod } from '../../api/core/v1/pod.js'
import { type ClusterTest, eventually, eventuallyEquals, kubectlClusterSuite, objectNames } from './cluster-suite.js'
import type { Kubectl } from './kubectl.js'

const revision = 'deployment.kubernetes.io/revision'

kubectlClusterSuite('kubectl and the rollouts of a deployment', {
  'create deployment: one replica set of the first revision makes three pods, each owned by the one above': async (
    kubectl,
  ) => {
    const created = await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=3')
    assert.equal(created, 'deployment.apps/web created\n')
    await eventuallyEquals(kubectl, 'deployment/web', '.status.unavailableReplicas', 3)
    const deployment = await get<Deployment>(kubectl, 'deployment', 'web')
    const [replicaSet, ...others] = await all<ReplicaSet>(kubectl, 'replicasets')
    assert.deepEqual(others, [])
    assert.equal(replicaSet!.metadata.annotations?.[revision], '1')
    assert.deepEqual(owners(replicaSet!), [`Deployment web ${deployment.metadata.uid}`])
    const pods = await all<Pod>(kubectl, 'pods')
    const { name, uid } = replicaSet!.metadata
    assert.deepEqual(pods.map(owners), Array(3).fill([`ReplicaSet ${name} ${uid}`]))
    assert.deepEqual(
      pods.map(({ status }) => status?.phase),
      Array(3).fill('Pending'),
    )
    const rows = await kubectl.table('get', 'deployments,replicasets')
    assert.deepEqual(rows[1]!.slice(0, 4), ['deployment.apps/web', '0/3', '3', '0'])
    assert.deepEqual(rows.at(-1)!.slice(0, 4), [`replicaset.apps/${name}`, '3', '3', '0'])
  },
  'get events and events tell what the loops did, and describe shows it': async (kubectl) => {
    await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=2')
    await eventuallyEquals(kubectl, 'deployment/web', '.status.unavailableReplicas', 2)
    const pods = (await objectNames(kubectl, 'pods')).map((name) => name.replace('pod/', ''))
    const hash = pods[0]!.split('-')[1]
    const replicaSet = `web-${hash}`
    const scaled = ['Normal', 'ScalingReplicaSet', 'deployment/web', `Scaled up replica set ${replicaSet} from 0 to 2`]
    const made = pods.map((pod) => ['Normal', 'SuccessfulCreate', `replicaset/${replicaSet}`, `Created pod: ${pod}`])
    await eventually(async () => {
      const [head, ...rows] = await kubectl.table('get', 'events')
      assert.deepEqual(head, ['LAST SEEN', 'TYPE', 'REASON', 'OBJECT', 'MESSAGE'])
      assert.deepEqual(rows.map(([, ...cells]) => cells).sort(), [scaled, ...made].sort())
    })
    const [, ...rows] = await kubectl.table('events', '--for=deployment/web')
    assert.deepEqual(
      rows.map(([, type, reason, object, message]) => [type, reason, object?.toLowerCase(), message]),
      [scaled],
    )
    const described = await kubectl.ok('describe', 'deployment', 'web')
    assert.match(described, /\nReplicas: +2 desired \| 2 updated \| 2 total \| 0 available \| 2 unavailable\n/)
    assert.match(
      described,
      /\n {2}Available +False +MinimumReplicasUnavailable\n {2}Progressing +True +ReplicaSetUpdated\n/,
    )
    assert.match(described, new RegExp(`\nNewReplicaSet: +${replicaSet} \\(2/2 replicas created\\)\n`))
    assert.match(described, /Normal +ScalingReplicaSet +\S+ +deployment-controller +Scaled up replica set/)
  },
  'rollout status waits until the pods are there, and says how far it is': async (kubectl, play) => {
    await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=3')
    const early = await kubectl.run(['rollout', 'status', 'deployment/web', '--timeout=1s'])
    assert.equal(early.code, 1)
    assert.match(
      early.stdout,
      /^Waiting for deployment "web" rollout to finish: 0 of 3 updated replicas are available/m,
    )
    assert.match(await rolledOut(kubectl, play, 3), /deployment "web" successfully rolled out\n$/)
    assert.match(await kubectl.ok('wait', '--for=condition=Available', 'deployment/web'), /condition met/)
  },
  'rollout history shows each revision with its cause, and what its pods are': async (kubectl, play) => {
    await threeRevisions(kubectl, play)
    const history = await kubectl.ok('rollout', 'history', 'deployment/web')
    assert.match(history, /\nREVISION +CHANGE-CAUSE\n1 +<none>\n2 +second\n3 +third\n/)
    const second = await kubectl.ok('rollout', 'history', 'deployment/web', '--revision=2')
    assert.match(second, /with revision #2\n[\s\S]*Image:\ttwo\n/)
  },
  'rollout undo goes back to the one before, or to any that is left: its revision becomes the newest': async (
    kubectl,
    play,
  ) => {
    await threeRevisions(kubectl, play)
    assert.equal(await kubectl.ok('rollout', 'undo', 'deployment/web'), 'deployment.apps/web rolled back\n')
    await rolledOut(kubectl, play, 1)
    assert.equal(await image(kubectl), 'two')
    assert.deepEqual(await revisions(kubectl), ['1', '3', '4'])
    await kubectl.ok('rollout', 'undo', 'deployment/web', '--to-revision=1')
    await rolledOut(kubectl, play, 1)
    assert.equal(await image(kubectl), 'x')
    assert.deepEqual(await revisions(kubectl), ['3', '4', '5'])
    assert.equal((await objectNames(kubectl, 'replicasets')).length, 3, 'none was made anew')
    const failure = await kubectl.fails('rollout', 'undo', 'deployment/web', '--to-revision=1')
    assert.match(failure, /unable to find specified revision 1 in history/)
  },
  'rollout pause holds changes back until rollout resume': async (kubectl, play) => {
    await kubectl.ok('create', 'deployment', 'web', '--image=x')
    await rolledOut(kubectl, play, 1)
    assert.equal(await kubectl.ok('rollout', 'pause', 'deployment/web'), 'deployment.apps/web paused\n')
    await kubectl.ok('set', 'image', 'deployment/web', 'x=two')
    await kubectl.ok('scale', 'deployment/web', '--replicas=2')
    await play({ podStatus: 'app=web', count: 1 })
    await eventuallyEquals(kubectl, 'deployment/web', '.status.readyReplicas', 2)
    assert.equal((await objectNames(kubectl, 'replicasets')).length, 1, 'it is scaled, and not rolled out')
    assert.match(await kubectl.fails('rollout', 'restart', 'deployment/web'), /can't restart paused deployment/)
    assert.equal(await kubectl.ok('rollout', 'resume', 'deployment/web'), 'deployment.apps/web resumed\n')
    await rolledOut(kubectl, play, 2)
    assert.deepEqual(await revisions(kubectl), ['1', '2'])
  },
  'rollout restart replaces every pod': async (kubectl, play) => {
    await kubectl.ok('create', 'deployment', 'web', '--image=x', '--replicas=2')
    await rolledOut(kubectl, play, 2)
    const before = await objectNames(kubectl, 'pods')
    assert.equal(await kubectl.ok('rollout', 'restart', 'deployment/web'), 'deployment.apps/web restarted\n')
    await rolledOut(kubectl, play, 2)
    await eventually(async () => assert.equal((await objectNames(kubectl, 'pods')).length, 2))
    const after = await objectNames(kubectl, 'pods')
    assert.deepEqual(
      after.filter((name) => before.includes(name)),
      [],
    )
    const pod = await get<Pod>(kubectl, after[0]!)
    assert.match(pod.metadata.annotations?.['kubectl.kubernetes.io/restartedAt'] ?? '', /^\d{4}-/)
  },
  'rollout history and undo know the revisions of a daemon set': async (kubectl) => {
    await kubectl.create(daemonSet('one'))
    await eventuallyEquals(kubectl, 'daemonset/agent', '.status.observedGeneration', 1)
    await kubectl.ok('set', 'image', 'daemonset/agent', 'main=two')
    await eventuallyEquals(kubectl, 'daemonset/agent', '.status.observedGeneration', 2)
    assert.match(await kubectl.ok('rollout', 'history', 'daemonset/agent'), /\n1 +<none>\n2 +<none>\n/)
    assert.equal(await kubectl.ok('rollout', 'undo', 'daemonset/agent'), 'daemonset.apps/agent rolled back\n')
    await eventuallyEquals(kubectl, 'daemonset/agent', '.status.observedGeneration', 3)
    await eventually(async () =>
      assert.match(await kubectl.ok('rollout', 'history', 'daemonset/agent'), /\n2 +<none>\n3 +<none>\n/),
    )
  },
})

type Play = Parameters<ClusterTest>[1]

async function threeRevisions(kubectl: Kubectl, play: Play): Promise<void> {
  await kubectl.ok('create', 'deployment', 'web', '--image=x')
  await rolledOut(kubectl, play, 1)
  for (const [image, cause] of Object.entries({ two: 'second', three: 'third' })) {
    await kubectl.ok('set', 'image', 'deployment/web', `x=${image}`)
    await kubectl.ok('annotate', 'deployment/web', `kubernetes.io/change-cause=${cause}`, '--overwrite')
    await rolledOut(kubectl, play, 1)
  }
}

/** So many new pods become ready, one by one or all at once, as the rollout makes them. Gives what kubectl said meanwhile. */
async function rolledOut(kubectl: Kubectl, play: Play, pods: number): Promise<string> {
  const [said] = await Promise.all([
    kubectl.ok('rollout', 'status', 'deployment/web', '--timeout=30s'),
    play({ podStatus: 'app=web', count: pods }),
  ])
  return said
}

async function get<T>(kubectl: Kubectl, ...what: readonly string[]): Promise<T> {
  return (await kubectl.json('get', ...what)) as T
}

async function all<T>(kubectl: Kubectl, resource: string): Promise<readonly T[]> {
  const { items } = (await kubectl.json('get', resource)) as unknown as { readonly items: readonly T[] }
  return items
}

function owners({ metadata }: Pod | ReplicaSet): readonly string[] {
  const { ownerReferences = [] } = metadata
  assert.ok(ownerReferences.every(({ controller, blockOwnerDeletion }) => controller && blockOwnerDeletion))
  return ownerReferences.map(({ kind, name, uid }) => `${kind} ${name} ${uid}`)
}

async function revisions(kubectl: Kubectl): Promise<readonly string[]> {
  const replicaSets = await all<ReplicaSet>(kubectl, 'replicasets')
  return replicaSets.map(({ metadata }) => metadata.annotations?.[revision] ?? '').sort()
}

async function image(kubectl: Kubectl): Promise<string> {
  return kubectl.ok('get', 'pods', '--output=jsonpath={.items[*].spec.containers[0].image}')
}

function daemonSet(image: string) {
  const labels = { app: 'agent' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image }] } }
  const spec = { selector: { matchLabels: labels }, template }
  return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'agent' }, spec }
}
