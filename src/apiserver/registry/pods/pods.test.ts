import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { type MemoryServer, openMemoryServer, testPod } from '../server.test.kit.js'

const pods = '/api/v1/namespaces/default/pods'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

suite('pods', () => {
  let server: MemoryServer
  before(async () => {
    server = await openMemoryServer()
  })
  after(() => server.close())

  async function podNamed(name: string): Promise<Pod> {
    return (await server.send('GET', `${pods}/${name}`)).body as unknown as Pod
  }

  function binding(name: string, node: string, metadata: object = {}): object {
    return { apiVersion: 'v1', kind: 'Binding', metadata: { name, ...metadata }, target: { kind: 'Node', name: node } }
  }

  test('are bound once, by one of many concurrent requests', async () => {
    await server.send('POST', pods, testPod('once'))
    const replies = await Promise.all(
      [1, 2, 3].map((i) => server.send('POST', `${pods}/once/binding`, binding('once', `n-${i}`))),
    )
    assert.deepEqual(replies.map(({ code }) => code).sort(), [201, 409, 409])
    const { spec, status } = await podNamed('once')
    assert.match(spec.nodeName!, /^n-/)
    assert.equal(status.conditions?.[0]?.type, 'PodScheduled')
  })

  test('get node, labels and annotations from their binding', async () => {
    const labels = { 'topology.kubernetes.io/zone': 'z', other: 'x' }
    await server.send('POST', '/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: 'zoned', labels } })
    await server.send('POST', pods, testPod('placed'))
    await server.send(
      'POST',
      '/api/v1/namespaces/default/bindings',
      binding('placed', 'zoned', { annotations: { by: 'me' } }),
    )
    const { metadata } = await podNamed('placed')
    assert.deepEqual(metadata.labels, { 'topology.kubernetes.io/zone': 'z' })
    assert.deepEqual(metadata.annotations, { by: 'me' })
  })

  test('with scheduling gates are not bound', async () => {
    await server.send('POST', pods, testPod('gated', { schedulingGates: [{ name: 'x.io/wait' }] }))
    const reply = await server.send('POST', `${pods}/gated/binding`, binding('gated', 'n'))
    assert.match(String(reply.body.message), /pod gated has non-empty .spec.schedulingGates/)
    const other = await server.send('POST', `${pods}/gated/binding`, binding('other', 'n'))
    assert.equal(other.body.message, 'name in URL does not match name in Binding object')
  })

  async function running(name: string, ready: string): Promise<void> {
    await server.send('POST', pods, testPod(name, { nodeName: 'n' }, { labels: { app: 'db' } }))
    const conditions = [{ type: 'Ready', status: ready }]
    await server.send('PATCH', `${pods}/${name}/status`, { status: { phase: 'Running', conditions } })
  }

  function evict(name: string, query = ''): ReturnType<MemoryServer['send']> {
    return server.send('POST', `${pods}/${name}/eviction${query}`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name },
    })
  }

  test('are evicted as far as their budget allows', async () => {
    for (const name of ['db-1', 'db-2', 'db-3']) await running(name, 'True')
    await running('db-sick', 'False')
    const budget = { minAvailable: 1, selector: { matchLabels: { app: 'db' } } }
    await server.send('POST', budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'db' },
      spec: budget,
    })
    assert.match(
      String((await evict('db-1')).body.details && JSON.stringify((await evict('db-1')).body)),
      /still being processed/,
    )
    const status = {
      observedGeneration: 1,
      disruptionsAllowed: 1,
      currentHealthy: 3,
      desiredHealthy: 2,
      expectedPods: 4,
    }
    await server.send('PATCH', `${budgets}/db/status`, { status })
    assert.equal((await evict('db-1', '?dryRun=All')).code, 201)
    assert.equal((await evict('db-sick')).code, 201) // costs the budget nothing
    assert.equal((await evict('db-1')).code, 201)
    assert.equal((await evict('db-2')).code, 429)
    const { status: spent } = (await server.send('GET', `${budgets}/db`)).body as unknown as PodDisruptionBudget
    assert.equal(spent.disruptionsAllowed, 0)
    assert.deepEqual(Object.keys(spent.disruptedPods ?? {}), ['db-1'])
    assert.equal(spent.conditions?.[0]?.reason, 'InsufficientPods')
    const { metadata, status: going } = await podNamed('db-1')
    assert.ok(metadata.deletionTimestamp)
    assert.equal(going.conditions?.find(({ type }) => type === 'DisruptionTarget')?.reason, 'EvictionByEvictionAPI')
  })

  test('with two budgets are not evicted', async () => {
    const spec = { minAvailable: 0, selector: { matchLabels: { app: 'db' } } }
    await server.send('POST', budgets, {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'second' },
      spec,
    })
    assert.match(String((await evict('db-3')).body.message), /more than one PodDisruptionBudget/)
  })

  test('without a node have no log and accept no connection', async () => {
    const containers = [
      { name: 'a', image: 'x' },
      { name: 'b', image: 'x' },
    ]
    await server.send('POST', pods, testPod('idle', { containers, initContainers: [{ name: 'i', image: 'x' }] }))
    const message = async (method: string, path: string) =>
      (await server.send(method, `${pods}/idle/${path}`)).body.message
    assert.equal(
      await message('GET', 'log'),
      'a container name must be specified for pod idle, choose one of: [a b] or one of the init containers: [i]',
    )
    assert.equal((await server.send('GET', `${pods}/idle/log?container=i`)).code, 204)
    assert.match(String(await message('GET', 'log?container=a&tailLines=-1')), /tailLines: Invalid value: -1/)
    assert.equal(await message('POST', 'exec?container=none'), 'container none is not valid for pod idle')
    assert.equal(await message('POST', 'exec?container=a'), 'pod idle does not have a host assigned')
    assert.equal(await message('POST', 'portforward'), 'pod idle does not have a host assigned')
    assert.equal(await message('GET', 'proxy/'), 'address not allowed')
  })
})
