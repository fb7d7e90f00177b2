import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { startTestApiServer } from '../servers/api-server.js'
import { httpsClient, inProcessClient } from '../servers/clients.js'
import { clientContract } from './client-contract.js'

clientContract('the client over HTTPS', (server, { stranger, ...options }) =>
  httpsClient(server, stranger ? { ...options, token: 'stranger' } : options),
)
clientContract('the client within the process', (server, { stranger, ...options }) => {
  const user = { name: 'stranger', uid: '1', groups: ['system:authenticated'], extra: {} }
  return inProcessClient(server, stranger ? { ...options, user } : options)
})

test('both transports give the same', async () => {
  await using server = await startTestApiServer()
  const [near, far] = [inProcessClient(server), httpsClient(server)]
  assert.deepEqual(await near.resource(Namespace).list(), await far.resource(Namespace).list())
  assert.deepEqual(await near.resource(Namespace).get('default'), await far.resource(Namespace).get('default'))
  assert.deepEqual((await near.raw('/version')).bytes, Buffer.from((await far.raw('/version')).bytes))
  near.close()
  far.close()
})

test('within the process, objects are handed on and not copied', async () => {
  await using server = await startTestApiServer()
  const configMaps = inProcessClient(server).resource(ConfigMap).in('default')
  await configMaps.create({ metadata: { name: 'one' } })
  const read = await configMaps.get('one')
  assert.equal(await configMaps.get('one'), read)
  assert.ok((await configMaps.list()).items.includes(read))
  for await (const { object } of configMaps.watch()) {
    if (object.metadata.name !== 'one') continue
    assert.equal(object, read)
    break
  }
})
