import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../testing/servers/clients.js'
import type { Client } from '../client.js'
import { scene } from '../https/https-transport.test.kit.js'
import { failure } from '../kubeconfig/kubeconfig.test.kit.js'
import type { Discovered, DiscoveredResource } from './discovered.js'
import { type Discover, discoverBy, remembered } from './discovery.js'
import { ResourceMapper } from './resource-mapper.js'

let server: TestApiServer
let client: Client
before(async () => {
  server = await startTestApiServer()
  client = httpsClient(server)
})
after(async () => {
  client.close()
  await server.close()
})

describe('discovery', () => {
  test('takes two requests, in process and over the network', async () => {
    const far = await discoverBy(client)()
    const near = await discoverBy(inProcessClient(server))()
    assert.deepEqual(near, far)
    assert.deepEqual([far.groups[0]?.name, far.failures], ['', []])
    const pods = far.groups[0]?.versions[0]?.resources.find(({ plural }) => plural === 'pods')
    const { subresources, verbs, ...rest } = pods!
    assert.deepEqual(rest, {
      root: '/api/v1',
      plural: 'pods',
      namespaced: true,
      apiVersion: 'v1',
      kind: 'Pod',
      group: '',
      version: 'v1',
      singular: 'pod',
      shortNames: ['po'],
      categories: ['all'],
    })
    assert.ok(verbs.includes('watch'))
    const eviction = subresources.find(({ name }) => name === 'eviction')
    assert.deepEqual(eviction, { name: 'eviction', verbs: ['create'], apiVersion: 'policy/v1', kind: 'Eviction' })
  })

  test('gives the same result version by version', async () => {
    const old = { raw: (path: string) => client.raw(path) } as unknown as Client
    assert.deepEqual(await discoverBy(old)(), await discoverBy(client)())
  })

  test('works for kinds without a declaration', async () => {
    const place = await new ResourceMapper(discoverBy(client)).resource('ns')
    const { items } = await client.resource(place).list()
    assert.ok(items.some(({ metadata }) => metadata.name === 'default'))
  })
})

test('returns the other groups if the server of one group is down', async (context) => {
  const answers: Readonly<Record<string, object>> = {
    '/api': { kind: 'APIVersions', versions: ['v1'] },
    '/apis': { kind: 'APIGroupList', groups: [{ name: 'down.org', versions: [{ version: 'v1' }] }] },
    '/api/v1': { kind: 'APIResourceList', resources: [{ name: 'pods', kind: 'Pod', namespaced: true }] },
  }
  const world = await scene(context, (response, { url = '' }) => {
    const answer = answers[url]
    if (answer) response.end(JSON.stringify(answer))
    else response.writeHead(500).end('it is down')
  })
  const { groups, failures } = await discoverBy(world.client)()
  assert.deepEqual(groups[0]?.versions[0]?.resources[0]?.plural, 'pods')
  assert.deepEqual(
    failures.map(({ groupVersion, error }) => [groupVersion, error.message]),
    [['down.org/v1', 'an error on the server ("it is down") has prevented the request from succeeding']],
  )
})

test('reports a stale version as a failure', async (context) => {
  const versions = [{ version: 'v1', freshness: 'Stale' }]
  const list = { kind: 'APIGroupDiscoveryList', items: [{ metadata: { name: 'down.org' }, versions }] }
  const world = await scene(context, (response) => response.end(JSON.stringify(list)))
  const { failures } = await discoverBy(world.client)()
  assert.equal(failures[0]?.error.message, 'stale GroupVersion discovery: down.org/v1')
})

test('caches the result until a fresh one is requested, and does not cache failures', async () => {
  let count = 0
  const discover = remembered(async () => {
    count++
    if (count === 1) throw new Error('down')
    return { groups: [], failures: [] }
  })
  await assert.rejects(discover(), { message: 'down' })
  await discover()
  await discover()
  assert.equal(count, 2)
  await discover({ isFresh: true })
  assert.equal(count, 3)
})

describe('a resource is found', () => {
  const mapper = () => new ResourceMapper(remembered(discoverBy(client)))
  const table: Readonly<Record<string, string>> = {
    pods: '/api/v1/pods',
    pod: '/api/v1/pods',
    Pod: '/api/v1/pods',
    PODS: '/api/v1/pods',
    po: '/api/v1/pods',
    'pods.v1.': '/api/v1/pods',
    deploy: '/apis/apps/v1/deployments',
    'deployments.apps': '/apis/apps/v1/deployments',
    'deploy.apps': '/apis/apps/v1/deployments',
    'deployments.v1.apps': '/apis/apps/v1/deployments',
    'deployments.app': '/apis/apps/v1/deployments',
    'Deployment.v1.apps': '/apis/apps/v1/deployments',
    'Deployment.apps': '/apis/apps/v1/deployments',
    hpa: '/apis/autoscaling/v2/horizontalpodautoscalers',
    'hpa.v1.autoscaling': '/apis/autoscaling/v1/horizontalpodautoscalers',
    'horizontalpodautoscalers.v1.autoscaling': '/apis/autoscaling/v1/horizontalpodautoscalers',
    events: '/api/v1/events',
    'events.events.k8s.io': '/apis/events.k8s.io/v1/events',
    'roles.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/roles',
    'roles.v1.rbac.authorization.k8s.io': '/apis/rbac.authorization.k8s.io/v1/roles',
    'roles.rbac': '/apis/rbac.authorization.k8s.io/v1/roles',
  }
  for (const [name, path] of Object.entries(table))
    test(`by ${name}`, async () => {
      const { root, plural } = await mapper().resource(name)
      assert.equal(`${root}/${plural}`, path)
    })

  test('by its kind, in the preferred version or in another', async () => {
    const kind = { kind: 'HorizontalPodAutoscaler', group: 'autoscaling' }
    assert.equal((await mapper().kind(kind)).version, 'v2')
    assert.equal((await mapper().kind({ ...kind, version: 'v1' })).version, 'v1')
  })

  test('by its category', async () => {
    const all = (await mapper().category('all')).map(({ plural }) => plural)
    assert.ok(all.includes('pods') && all.includes('deployments') && !all.includes('configmaps'))
    assert.equal(all.filter((plural) => plural === 'horizontalpodautoscalers').length, 1)
  })
})

test('or the error message is that of upstream', async () => {
  const mapper = new ResourceMapper(remembered(discoverBy(client)))
  const table: readonly (readonly [() => Promise<unknown>, string])[] = [
    [() => mapper.resource('nope'), 'the server doesn\'t have a resource type "nope"'],
    [() => mapper.resource('nope.v1.apps'), 'the server doesn\'t have a resource type "nope"'],
    [() => mapper.resource('PO'), 'the server doesn\'t have a resource type "PO"'],
    [() => mapper.kind({ kind: 'Nope', group: 'apps' }), 'no matches for kind "Nope" in group "apps"'],
    [
      () => mapper.kind({ kind: 'Deployment', group: 'apps', version: 'v9' }),
      'no matches for kind "Deployment" in version "apps/v9"',
    ],
    [() => mapper.kind({ kind: 'Nope', group: '', version: 'v1' }), 'no matches for kind "Nope" in version "v1"'],
  ]
  for (const [call, message] of table) assert.equal(await failure(call), message)
})

describe('where names clash', () => {
  const resource = (group: string, plural: string, more: Partial<DiscoveredResource> = {}): DiscoveredResource => ({
    root: `/apis/${group}/v1`,
    plural,
    namespaced: true,
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    group,
    version: 'v1',
    singular: 'thing',
    shortNames: [],
    categories: [],
    verbs: [],
    subresources: [],
    ...more,
  })
  const served = (...resources: DiscoveredResource[]): Discover => {
    const names = [...new Set(resources.map(({ group }) => group))]
    const groups = names.map((name) => ({
      name,
      versions: [{ version: 'v1', resources: resources.filter(({ group }) => group === name) }],
    }))
    const found: Discovered = { groups, failures: [] }
    return async () => found
  }

  test('the first group of the server wins', async () => {
    const mapper = new ResourceMapper(served(resource('b.org', 'things'), resource('a.org', 'things')))
    assert.equal((await mapper.resource('things')).group, 'b.org')
    assert.equal((await mapper.resource('things.a')).group, 'a.org')
  })
  test('a name wins over a short name, with a warning about the other meanings', async () => {
    const warnings: string[] = []
    const th = { shortNames: ['th', 'stuff'] }
    const all = served(resource('a.org', 'things', th), resource('b.org', 'other', th), resource('c.org', 'stuff'))
    const mapper = new ResourceMapper(all, { warn: (warning) => warnings.push(warning) })
    assert.equal((await mapper.resource('stuff')).group, 'c.org')
    assert.deepEqual(warnings, [])
    assert.equal((await mapper.resource('th')).group, 'a.org')
    assert.deepEqual(warnings, ['short name "th" could also match lower priority resource other.b.org'])
  })
  test('within one group and version the name is ambiguous', async () => {
    const mapper = new ResourceMapper(served(resource('a.org', 'things'), resource('a.org', 'stuff')))
    assert.equal(
      await failure(() => mapper.resource('thing')),
      '/, Resource=thing matches multiple resources [a.org/v1, Resource=things a.org/v1, Resource=stuff]',
    )
    assert.equal(
      await failure(() => mapper.kind({ kind: 'Thing', group: 'a.org' })),
      'a.org/, Kind=Thing matches multiple resources [a.org/v1, Resource=things a.org/v1, Resource=stuff]',
    )
  })
  test('a resource that was defined just now is found', async () => {
    let isDefined = false
    const [before, after] = [
      served(resource('a.org', 'other', { singular: 'other' })),
      served(resource('a.org', 'things')),
    ]
    const mapper = new ResourceMapper(remembered(() => (isDefined ? after() : before())))
    await assert.rejects(mapper.resource('things'))
    isDefined = true
    assert.equal((await mapper.resource('things')).plural, 'things')
  })
})
