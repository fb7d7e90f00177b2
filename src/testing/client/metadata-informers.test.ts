import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Secret } from '../../api/core/v1/secret.js'
import { environment } from '../../base/environment.js'
import { Informers } from '../../client/informers/informers.js'
import { locationOf } from '../../client/resource-location.js'
import { startTestApiServer } from '../servers/api-server.js'
import { httpsClient, inProcessClient } from '../servers/clients.js'

const metadataOnly = { metadataOnly: true } as const

test('over the network, an informer of metadata is sent nothing else', async () => {
  await using server = await startTestApiServer()
  const client = httpsClient(server)
  await using informers = new Informers(client, environment())
  await client.resource(ConfigMap).create({ metadata: { name: 'one', namespace: 'default' }, data: { a: '1' } })
  const informer = informers.of(locationOf(ConfigMap), metadataOnly)
  await informer.synced
  const two = await client.resource(ConfigMap).create({ metadata: { name: 'two', namespace: 'default' }, data: {} })
  await informer.reached(Number(two.metadata.resourceVersion))
  for (const name of ['one', 'two'])
    assert.deepEqual(Object.keys(informer.get(`default/${name}`)!).sort(), ['apiVersion', 'kind', 'metadata'])
  assert.notEqual(informer, informers.of(ConfigMap))
  client.close()
})

test('an informer of whole objects that is there already serves for metadata', async () => {
  await using server = await startTestApiServer()
  const client = httpsClient(server)
  await using informers = new Informers(client, environment())
  assert.equal(informers.of(Secret), informers.of(locationOf(Secret), metadataOnly))
  client.close()
})

test('within the process, nothing is saved by metadata alone: there is one informer', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  await using informers = new Informers(client, environment())
  assert.equal(informers.of(locationOf(Secret), metadataOnly), informers.of(Secret))
})

test('a list of metadata may be empty', async () => {
  await using server = await startTestApiServer()
  const client = httpsClient(server)
  const secrets = client.resource(Secret).in('default').metadataOnly()
  assert.deepEqual((await secrets.list()).items, [])
  await client.resource(Secret).create({ metadata: { name: 'key', namespace: 'default' }, data: { a: 'YQ==' } })
  const { items } = await secrets.list()
  assert.deepEqual(
    items.map((item) => 'data' in item),
    [false],
  )
  assert.equal('data' in (await secrets.get('key')), false)
  client.close()
})
