import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { Namespace } from '../../api/core/v1/namespace.js'
import { environment } from '../../base/environment.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../testing/servers/clients.js'
import type { Client } from '../client.js'
import { locationOf } from '../resource-location.js'
import type { Change, Informer } from './informer.js'
import { Informers } from './informers.js'

for (const [name, make] of [
  ['within the process', inProcessClient],
  ['over HTTPS', httpsClient],
] as const) {
  describe(`an informer ${name}`, () => {
    let server: TestApiServer
    let client: Client
    let informers: Informers
    before(async () => {
      server = await startTestApiServer()
      client = make(server)
      informers = new Informers(client, environment())
    })
    after(async () => {
      await informers.close()
      client.close()
      await server.close()
    })

    test('has the existing objects, and reports changes', async () => {
      const configMaps = client.resource(ConfigMap).in('default')
      await configMaps.create({ metadata: { name: 'first' } })
      const informer = informers.of(ConfigMap)
      const changes = listen(informer)
      await informers.synced()
      assert.ok(informer.isSynced)
      assert.ok(changes.includes('added default/first'))
      changes.length = 0
      const { metadata } = await configMaps.create({ metadata: { name: 'second' }, data: { a: '1' } })
      await informer.reached(Number(metadata.resourceVersion))
      assert.deepEqual(informer.get('default/second')?.data, { a: '1' })
      assert.equal(informer.get('default/second')?.kind, 'ConfigMap')
      const changed = await configMaps.patch('second', 'merge', { data: { a: '2' } })
      await informer.reached(Number(changed.metadata.resourceVersion))
      await configMaps.delete('second')
      const last = await configMaps.patch('first', 'merge', { data: { a: '3' } })
      await informer.reached(Number(last.metadata.resourceVersion))
      assert.deepEqual(changes, [
        'added default/second',
        'updated default/second from {"a":"1"}',
        'deleted default/second',
        'updated default/first from undefined',
      ])
      assert.equal(informer.get('default/second'), undefined)
    })

    test('is shared for the same resource and selection', () => {
      assert.equal(informers.of(ConfigMap), informers.of(ConfigMap))
      assert.equal(informers.of(ConfigMap), informers.of(locationOf(ConfigMap)))
      const selection = { namespace: 'default', labelSelector: 'a=b' }
      assert.equal(informers.of(ConfigMap, selection), informers.of(ConfigMap, { ...selection }))
      assert.notEqual(informers.of(ConfigMap, selection), informers.of(ConfigMap))
    })

    test('reports existing objects to a new handler, and finds objects by index', async () => {
      const configMaps = client.resource(ConfigMap)
      await client.resource(Namespace).create({ metadata: { name: 'other' } })
      const labels = { app: 'web' }
      await configMaps.create({ metadata: { name: 'a', namespace: 'other', labels } })
      const { metadata } = await configMaps.create({ metadata: { name: 'b', namespace: 'other' } })
      const informer = informers.of(ConfigMap)
      await informer.reached(Number(metadata.resourceVersion))
      informer.addIndex('app', (object) => (object.metadata.labels?.app ? [object.metadata.labels.app] : []))
      const named = (objects: Iterable<ConfigMap>) => [...objects].map((each) => each.metadata.name).sort()
      assert.deepEqual(named(informer.by('namespace', 'other')), ['a', 'b'])
      assert.deepEqual(named(informer.by('app', 'web')), ['a'])
      const moved = await configMaps.in('other').patch('a', 'merge', { metadata: { labels: { app: 'shop' } } })
      await informer.reached(Number(moved.metadata.resourceVersion))
      assert.deepEqual([named(informer.by('app', 'web')), named(informer.by('app', 'shop'))], [[], ['a']])
      assert.ok(listen(informer).includes('added other/a'))
    })

    test('of a selection has only the selected objects', async () => {
      const configMaps = client.resource(ConfigMap).in('default')
      const informer = informers.of(ConfigMap, { namespace: 'default', labelSelector: 'chosen' })
      const changes = listen(informer)
      await informer.synced
      await configMaps.create({ metadata: { name: 'not-chosen' } })
      await configMaps.create({ metadata: { name: 'chosen', labels: { chosen: '' } } })
      const { metadata } = await configMaps.patch('chosen', 'merge', { metadata: { labels: null } })
      await informer.reached(Number(metadata.resourceVersion))
      assert.deepEqual(changes, ['added default/chosen', 'deleted default/chosen'])
    })
  })
}

test('an in-process informer shares the objects of the server', async () => {
  await using server = await startTestApiServer()
  const client = inProcessClient(server)
  await using informers = new Informers(client, environment())
  const informer = informers.of(Namespace)
  await informer.synced
  const { metadata } = await client.resource(Namespace).create({ metadata: { name: 'mine' } })
  await informer.reached(Number(metadata.resourceVersion))
  for (const name of ['default', 'mine']) assert.equal(informer.get(name), await client.resource(Namespace).get(name))
})

function listen(informer: Informer<ConfigMap>): string[] {
  const changes: string[] = []
  informer.onChange((change) => changes.push(describeChange(change)))
  return changes
}

function describeChange({ type, object, old }: Change<ConfigMap>): string {
  const { namespace, name } = object.metadata
  return `${type} ${namespace}/${name}${old ? ` from ${JSON.stringify(old.data)}` : ''}`
}
