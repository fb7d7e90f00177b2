import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { setTimeout as realDelay } from 'node:timers/promises'
import { connect } from 'node:tls'
import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { hasReason } from '../api/errors.js'
import { type Cluster, startCluster } from './start-cluster.js'

const order = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'order', labels: { stage: 'new' } } }

/** An operator with a library of its own, over the network: it answers each order with a chain of objects, and needs real time for it. */
async function startForeignOperator(kubeconfig: string, { thinking }: { readonly thinking: number }) {
  const config = new KubeConfig()
  config.loadFromFile(kubeconfig)
  const core = config.makeApiClient(CoreV1Api)
  const list = () => core.listNamespacedConfigMap({ namespace: 'default' })
  const informer = makeInformer<V1ConfigMap>(config, '/api/v1/namespaces/default/configmaps', list)
  const errors: unknown[] = []
  informer.on('add', ({ metadata }) => {
    const step = Number(metadata?.labels?.step ?? (metadata?.name === 'order' ? 0 : Number.NaN))
    if (!(step < 5)) return
    const next = { metadata: { name: `step-${step + 1}`, labels: { step: `${step + 1}` } } }
    realDelay(thinking)
      .then(() => core.createNamespacedConfigMap({ namespace: 'default', body: next }))
      .catch((error: unknown) => errors.push(error))
  })
  await informer.start()
  return { errors, stop: () => informer.stop() }
}

async function secondsOf(cluster: Cluster, work: () => Promise<unknown>): Promise<number> {
  const began = cluster.clock.monotonic()
  await work()
  return (cluster.clock.monotonic() - began) / 1000
}

describe('on a virtual clock', () => {
  test('time stands still while a client over the network is at work', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    const operator = await startForeignOperator(cluster.kubeconfig, { thinking: 0 })
    await cluster.apply(order)
    const seconds = await secondsOf(cluster, () => cluster.waitFor(ConfigMap, 'step-5'))
    operator.stop()
    assert.deepEqual(operator.errors, [])
    assert.ok(seconds < 30, `${seconds} s have passed`)
  })

  test('waitFor does not outrun a client over the network that thinks before it acts', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    const operator = await startForeignOperator(cluster.kubeconfig, { thinking: 150 })
    await cluster.apply(order)
    await cluster.waitFor(ConfigMap, 'step-5')
    operator.stop()
    assert.deepEqual(operator.errors, [])
  })

  test('advance waits for the responses that a client over the network is owed', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    const config = new KubeConfig()
    config.loadFromFile(cluster.kubeconfig)
    const core = config.makeApiClient(CoreV1Api)
    await core.listNamespacedConfigMap({ namespace: 'default' })
    const asked = cluster.clock.now()
    const creation = core.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'soon' } } })
    await realDelay(1)
    const [created] = await Promise.all([creation, cluster.advance('1h')])
    const late = (created.metadata?.creationTimestamp?.getTime() ?? 0) - asked
    assert.ok(late < 60_000, `the request was served ${late / 1000} s after it was sent`)
  })

  test('a client that hangs in the middle of a request does not stop time', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    const { hostname, port } = new URL(cluster.url)
    const socket = connect({ host: hostname, port: Number(port), ca: cluster.authority, ALPNProtocols: ['http/1.1'] })
    await new Promise((resolve) => socket.once('secureConnect', resolve))
    const head = [
      'POST /api/v1/namespaces/default/configmaps HTTP/1.1',
      'host: x',
      `authorization: Bearer ${cluster.token}`,
      'content-type: application/json',
      'content-length: 100',
    ]
    socket.write(`${head.join('\r\n')}\r\n\r\n{`)
    await realDelay(20)
    const began = performance.now()
    await cluster.advance('10m')
    socket.destroy()
    assert.ok(performance.now() - began < 20_000)
  })

  test('time stands still while the process waits for its disk', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    let turns = 0
    const reading = (async () => {
      for (; turns < 20; turns++) await readFile(new URL(import.meta.url))
    })()
    await cluster.advance('1h')
    assert.equal(turns, 20)
    await reading
  })

  test('a cluster can be told of other work that needs real time', async () => {
    await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
    let isDone = false
    const work = realDelay(50).then(() => {
      isDone = true
    })
    void cluster.hold(work)
    await cluster.advance('1h')
    assert.equal(isDone, true)
  })
})

describe('as somebody else', () => {
  const role = {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }],
  }
  const binding = (subject: object) => ({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'readers' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' },
    subjects: [subject],
  })

  test('a user has the rights of the user and of its groups, in this process and over the network', async () => {
    await using cluster = await startCluster({ nodes: 0 })
    await cluster.apply(role, binding({ kind: 'Group', name: 'team', apiGroup: 'rbac.authorization.k8s.io' }), order)
    const jane = cluster.as({ user: 'jane', groups: ['team'] })
    const configMaps = jane.client.resource(ConfigMap).in('default')
    assert.equal((await configMaps.get('order')).metadata.name, 'order')
    await assert.rejects(configMaps.delete('order'), (error) => hasReason(error, 'Forbidden'))
    await assert.rejects(cluster.as({ user: 'joe' }).client.resource(ConfigMap).in('default').get('order'), /joe/)
  })

  test('a service account has its rights, also by its kubeconfig', async () => {
    await using cluster = await startCluster({ nodes: 0 })
    await cluster.apply(role, binding({ kind: 'ServiceAccount', name: 'robot', namespace: 'default' }), order)
    const robot = cluster.as({ serviceAccount: 'robot' })
    assert.equal((await robot.client.resource(ConfigMap).in('default').get('order')).metadata.name, 'order')
    const config = new KubeConfig()
    config.loadFromFile(robot.kubeconfig)
    const core = config.makeApiClient(CoreV1Api)
    assert.equal((await core.listNamespacedConfigMap({ namespace: 'default' })).items.length > 0, true)
    await assert.rejects(
      core.deleteNamespacedConfigMap({ namespace: 'default', name: 'order' }),
      /system:serviceaccount:default:robot.*cannot delete/,
    )
  })
})
