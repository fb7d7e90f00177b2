import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { MemoryStore } from '../../../storage/memory/memory-store.js'
import { type MemoryServer, openMemoryServer, testPod } from '../../registry/server.test.kit.js'

suite('quotas', () => {
  let server: MemoryServer
  before(async () => {
    server = await openMemoryServer()
  })
  after(() => server.close())

  async function quota(namespace: string, hard: Record<string, string>, spec: object = {}): Promise<string> {
    await server.send('POST', '/api/v1/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
    const path = `/api/v1/namespaces/${namespace}/resourcequotas`
    await server.send('POST', path, {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q' },
      spec: { hard, ...spec },
    })
    const used = Object.fromEntries(Object.keys(hard).map((name) => [name, '0']))
    await server.send('PATCH', `${path}/q/status`, { status: { hard, used } })
    return `/api/v1/namespaces/${namespace}`
  }

  async function used(namespacePath: string): Promise<Record<string, string>> {
    const { body } = await server.send('GET', `${namespacePath}/resourcequotas/q`)
    return (body as unknown as { status: { used: Record<string, string> } }).status.used
  }

  test('of many creates at once exactly as many succeed as there is room for', async () => {
    const path = await quota('crowd', { configmaps: '20', 'count/configmaps': '100' })
    const create = (i: number) =>
      server.send('POST', `${path}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c-${i}` } })
    const replies = await Promise.all(Array.from({ length: 60 }, (_, i) => create(i)))
    assert.equal(replies.filter(({ code }) => code === 201).length, 20)
    assert.equal(replies.filter(({ code }) => code === 403).length, 40)
    assert.deepEqual(await used(path), { configmaps: '20', 'count/configmaps': '20' })
  })

  test('a create that fails for another reason, and a dry run, cost nothing', async () => {
    const path = await quota('fair', { configmaps: '2' })
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } }
    assert.equal((await server.send('POST', `${path}/configmaps?dryRun=All`, object)).code, 201)
    assert.equal((await server.send('POST', `${path}/configmaps`, object)).code, 201)
    assert.equal((await server.send('POST', `${path}/configmaps`, object)).code, 409)
    assert.deepEqual(await used(path), { configmaps: '1' })
  })

  test('pods are measured by what they ask for, and must say it', async () => {
    const path = await quota('measured', { pods: '5', 'requests.cpu': '1' })
    const pod = (name: string, cpu?: string) =>
      testPod(name, { containers: [{ name: 'main', image: 'a', ...(cpu && { resources: { requests: { cpu } } }) }] })
    const silent = await server.send('POST', `${path}/pods`, pod('silent'))
    assert.match(String(silent.body.message), /failed quota: q: must specify requests.cpu for: main/)
    assert.equal((await server.send('POST', `${path}/pods`, pod('a', '600m'))).code, 201)
    const second = await server.send('POST', `${path}/pods`, pod('b', '600m'))
    assert.match(
      String(second.body.message),
      /exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=600m, limited: requests.cpu=1/,
    )
    assert.deepEqual(await used(path), { pods: '1', 'requests.cpu': '600m' })
  })

  test('a quota with a scope counts only what is in it', async () => {
    const path = await quota('scoped', { pods: '1' }, { scopes: ['BestEffort'] })
    const sized = { containers: [{ name: 'main', image: 'a', resources: { requests: { cpu: '1' } } }] }
    assert.equal((await server.send('POST', `${path}/pods`, testPod('sized', sized))).code, 201)
    assert.equal((await server.send('POST', `${path}/pods`, testPod('one'))).code, 201)
    assert.equal((await server.send('POST', `${path}/pods`, testPod('two'))).code, 403)
  })

  test('services are charged for their node ports when they change their type', async () => {
    const path = await quota('ports', { 'services.nodeports': '1' })
    const service = (name: string) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { ports: [{ port: 80 }], selector: { a: 'b' } },
    })
    for (const name of ['a', 'b'])
      assert.equal((await server.send('POST', `${path}/services`, service(name))).code, 201)
    const toNodePort = { spec: { type: 'NodePort' } }
    assert.equal((await server.send('PATCH', `${path}/services/a`, toNodePort)).code, 200)
    assert.equal((await server.send('PATCH', `${path}/services/b`, toNodePort)).code, 403)
  })
})

test('two servers over one store do not exceed a quota together', async () => {
  const store = new MemoryStore()
  const servers = [
    await openMemoryServer(store, { soleWriter: false }),
    await openMemoryServer(store, { soleWriter: false }),
  ]
  const [first] = servers
  const path = '/api/v1/namespaces/default'
  const hard = { configmaps: '10' }
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'q' }, spec: { hard } }
  await first!.send('POST', `${path}/resourcequotas`, quota)
  await first!.send('PATCH', `${path}/resourcequotas/q/status`, { status: { hard, used: { configmaps: '0' } } })
  const create = (i: number) =>
    servers[i % 2]!.send('POST', `${path}/configmaps`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `c-${i}` },
    })
  await servers[1]!.send('GET', `${path}/resourcequotas/q`)
  const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => create(i)))
  assert.equal(replies.filter(({ code }) => code === 201).length, 10)
  for (const server of servers) await server.close()
})
