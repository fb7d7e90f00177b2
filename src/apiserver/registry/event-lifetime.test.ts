import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Event } from '../../api/core/v1/event.js'
import { environment } from '../../base/environment.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { startTestApiServer } from '../../testing/servers/api-server.js'
import { inProcessClient } from '../../testing/servers/clients.js'

test('an event is deleted an hour after it was created, and other objects stay', async () => {
  const clock = new VirtualClock()
  await using server = await startTestApiServer({ environment: environment({ clock }) })
  const client = inProcessClient(server)
  const metadata = { name: 'e', namespace: 'default' }
  const involvedObject = { kind: 'ConfigMap', apiVersion: 'v1', ...metadata }
  await client.resource(Event).create({ metadata, involvedObject })
  await client.resource(ConfigMap).create({ metadata })
  const names = async (kind: typeof Event | typeof ConfigMap) =>
    (await client.resource(kind).in('default').list()).items.map((each) => each.metadata.name)
  await clock.advance('59m')
  assert.deepEqual(await names(Event), ['e'])
  await clock.advance('2m')
  assert.deepEqual(await names(Event), [])
  assert.deepEqual(await names(ConfigMap), ['e'])
  client.close()
})
