import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Secret } from '../../api/core/v1/secret.js'
import { sleep } from '../../base/clock.js'
import { environment as realEnvironment } from '../../base/environment.js'
import { httpsTransport } from '../../client/https/https-transport.js'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient } from '../../testing/servers/clients.js'
import { startControllers } from '../manager.js'

test('over the network the collector sees nothing but metadata, and that is enough', async () => {
  await using server = await startTestApiServer()
  const environment = realEnvironment()
  const { url, authority, token } = server
  const transport = () => httpsTransport({ server: url, authority, token })
  const controllers = ['garbage-collector-controller']
  const loops = startControllers({
    environment,
    flags: { controllers },
    transport: transport(),
    transportOf: transport,
  })
  const client = httpsClient(server)
  try {
    const { metadata } = await client.resource(ConfigMap).create({ metadata: { name: 'owner', namespace: 'default' } })
    const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid!, blockOwnerDeletion: true }
    const secrets = client.resource(Secret).in('default')
    for (const name of ['one', 'two']) await secrets.create({ metadata: { name, ownerReferences: [owner] } })
    await client.resource(ConfigMap).in('default').delete('owner', { propagationPolicy: 'Foreground' })
    const left = async () => [
      ...(await client.resource(ConfigMap).in('default').list()).items,
      ...(await secrets.list()).items,
    ]
    for (let look = 0; look < 1000 && (await left()).length > 0; look++) await sleep(environment.clock, 20)
    assert.deepEqual(await left(), [])
  } finally {
    await loops.close()
    client.close()
  }
})
