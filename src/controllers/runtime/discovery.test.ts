import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '../../client/client.js'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../testing/servers/clients.js'
import { discover, failureMessage, groupResource, preferred } from './discovery.js'

test('both transports discover the same resources, in every version, and one version of each is preferred', async () => {
  await using server = await startTestApiServer()
  const client = httpsClient(server)
  const { resources, failures } = await discover(client)
  client.close()
  assert.deepEqual((await discover(inProcessClient(server))).resources, resources)
  assert.equal(failures.size, 0)
  assert.ok(resources.find(({ plural }) => plural === 'pods')!.verbs.includes('deletecollection'))
  const versions = (name: string) =>
    resources.filter((each) => groupResource(each) === name).map((each) => each.version)
  assert.deepEqual(versions('horizontalpodautoscalers.autoscaling'), ['v2', 'v1'])
  const one = preferred(resources).filter((each) => groupResource(each) === 'horizontalpodautoscalers.autoscaling')
  assert.deepEqual(
    one.map((each) => each.version),
    ['v2'],
  )
})

test('a group whose server does not respond is a failure, not an absent group', async () => {
  const groups = [
    { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] },
    {
      metadata: { name: 'example.com' },
      versions: [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [{ resource: 'widgets', responseKind: { kind: 'Widget' }, scope: 'Cluster', verbs: ['get'] }],
        },
      ],
    },
  ]
  const { resources, failures } = await discover(clientOf([{ metadata: {}, versions: [] }], groups))
  assert.deepEqual(
    resources.map(({ root, plural, kind, namespaced }) => [root, plural, kind, namespaced]),
    [['/apis/example.com/v1', 'widgets', 'Widget', false]],
  )
  assert.equal(
    failureMessage(failures),
    'unable to retrieve the complete list of server APIs: metrics.k8s.io/v1beta1: stale GroupVersion discovery: metrics.k8s.io/v1beta1',
  )
})

test('a server that lists nothing is an error', async () => {
  await assert.rejects(discover(clientOf([], [])), /the server lists no resources under \/api$/)
  const core = [{ metadata: {}, versions: [] }]
  await assert.rejects(discover(clientOf(core, [])), /the server lists no resources under \/apis$/)
})

function clientOf(core: readonly object[], named: readonly object[]): Client {
  return new Client({
    async send({ path }) {
      const list = { kind: 'APIGroupDiscoveryList', items: path === '/api' ? core : named }
      const bytes = Buffer.from(JSON.stringify(list))
      return { response: { is: 'bytes', code: 200, contentType: '', bytes }, warnings: [] }
    },
    close() {},
  })
}
