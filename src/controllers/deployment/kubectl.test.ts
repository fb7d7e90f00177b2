import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Informers } from '../../client/informers/informers.js'
import { startTestCluster, type TestCluster } from '../../testing/cluster.js'
import { Kubectl } from '../../testing/kubectl/kubectl.js'
import { programMissing } from '../../testing/processes/programs.js'
import { createNamespace } from '../harness.test.kit.js'
import { FakeKubelet } from '../pods/kubelet.test.kit.js'

const controllers = ['deployment-controller', 'replicaset-controller']

/** A server, its loops and something like a kubelet, all in real time. */
async function startCluster(): Promise<AsyncDisposable & { readonly server: TestCluster }> {
  const server = await startTestCluster({ controllers })
  const { client, environment } = server
  await createNamespace(client, 'shop')
  const informers = new Informers(client, environment)
  const kubelet = new FakeKubelet({ client, informers, clock: environment.clock })
  kubelet.options = { start: 0, stop: 0, broken: ['broken'], nodes: 2 }
  // A pod may be gone by the time it is attended to: the next round sees that.
  const timer = setInterval(() => kubelet.tick()?.catch(() => {}), 50)
  return {
    server,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await informers.close()
      await server.close()
    },
  }
}

describe('kubectl rollout', { skip: programMissing('kubectl') }, () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let kubectl: Kubectl
  before(async () => {
    cluster = await startCluster()
    kubectl = new Kubectl(cluster.server, 'shop')
  })
  after(() => cluster[Symbol.asyncDispose]())

  const rollout = (...args: readonly string[]) => kubectl.ok('rollout', ...args)
  const image = () => kubectl.ok('get', 'deployment', 'web', '-o', 'jsonpath={.spec.template.spec.containers[0].image}')

  test('status waits for the pods', async () => {
    await kubectl.ok('create', 'deployment', 'web', '--image=one', '--replicas=3')
    assert.match(await rollout('status', 'deployment/web', '--timeout=60s'), /deployment "web" successfully rolled out/)
  })

  test('history and undo know the revisions', async () => {
    await kubectl.ok('set', 'image', 'deployment/web', 'one=two')
    await rollout('status', 'deployment/web', '--timeout=60s')
    assert.match(await rollout('history', 'deployment/web'), /^1 .*\n2 /m)
    assert.match(await rollout('history', 'deployment/web', '--revision=1'), /Image:\s+one/)
    assert.match(await rollout('undo', 'deployment/web'), /deployment.apps\/web rolled back/)
    await rollout('status', 'deployment/web', '--timeout=60s')
    assert.equal(await image(), 'one')
    assert.match(await rollout('history', 'deployment/web'), /^2 .*\n3 /m)
    await rollout('undo', 'deployment/web', '--to-revision=2')
    await rollout('status', 'deployment/web', '--timeout=60s')
    assert.equal(await image(), 'two')
  })

  test('pause holds up what resume lets go on', async () => {
    await rollout('pause', 'deployment/web')
    await kubectl.ok('set', 'image', 'deployment/web', 'one=three')
    assert.match(await kubectl.ok('get', 'replicasets', '-o', 'wide'), /two/)
    assert.doesNotMatch(await kubectl.ok('get', 'replicasets', '-o', 'wide'), /three/)
    await rollout('resume', 'deployment/web')
    await rollout('status', 'deployment/web', '--timeout=60s')
    assert.match(await kubectl.ok('get', 'pods', '-o', 'jsonpath={.items[*].spec.containers[0].image}'), /three/)
  })

  test('restart replaces every pod', async () => {
    const names = () => kubectl.ok('get', 'pods', '-o', 'name')
    const old = new Set((await names()).trim().split('\n'))
    await rollout('restart', 'deployment/web')
    await rollout('status', 'deployment/web', '--timeout=60s')
    await kubectl.ok('wait', '--for=delete', ...old, '--timeout=60s')
    assert.equal((await names()).trim().split('\n').length, 3)
  })

  test('status fails when the deadline has passed', async () => {
    await kubectl.ok('patch', 'deployment', 'web', '-p', '{"spec":{"progressDeadlineSeconds":1}}')
    await kubectl.ok('set', 'image', 'deployment/web', 'one=broken')
    assert.match(
      await kubectl.fails('rollout', 'status', 'deployment/web', '--timeout=60s'),
      /exceeded its progress deadline/,
    )
  })

  test('describe tells of old and new replica sets and of events', async () => {
    const text = await kubectl.ok('describe', 'deployment', 'web')
    assert.match(text, /NewReplicaSet:\s+web-\w+ \(1\/1 replicas created\)/)
    assert.match(text, /Progressing\s+False\s+ProgressDeadlineExceeded/)
    assert.match(text, /ScalingReplicaSet.*deployment-controller.*Scaled up replica set web-\w+ from 0 to 3/)
  })
})
