import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { Event } from '../api/core/v1/event.js'
import { environment } from '../base/environment.js'
import { VirtualClock } from '../base/virtual-clock.js'
import { inProcessTransport } from '../client/in-process.js'
import { startTestApiServer } from '../testing/servers/api-server.js'
import { administrator, inProcessClient } from '../testing/servers/clients.js'
import { checkWorld } from '../testing/world-check/world-check.js'
import { startOperator } from './operator.js'
import { controller } from './runtime/builder.js'

test('loops of one operator share informers, tell events in their own names, and leave a transport open that they were given', async () => {
  const clock = new VirtualClock()
  const surroundings = environment({ clock })
  await using server = await startTestApiServer({ environment: surroundings })
  const lists: string[] = []
  const inner = inProcessTransport({ handle: server.api.handleInProcess, user: administrator })
  const transport = {
    ...inner,
    send(request: Parameters<typeof inner.send>[0]) {
      if (request.responseType === 'watch') lists.push(request.path)
      return inner.send(request)
    },
  }
  const client = inProcessClient(server)
  await client.resource(ConfigMap).create({ metadata: { name: 'a', namespace: 'default' } })
  const loop = (name: string) =>
    controller(name)
      .for(ConfigMap)
      .reconcile(async (key, { informers, events }) => {
        const about = informers.of(ConfigMap).get(key)
        if (about) events.record({ about, type: 'Normal', reason: 'Seen', message: `${name} saw ${key}` })
      })
  const operator = await startOperator([loop('one'), loop('two')], { transport, environment: surroundings })
  await clock.settle()
  await operator.close()
  assert.deepEqual(lists, ['/api/v1/configmaps'])
  const { items } = await client.resource(Event).in('default').list()
  assert.deepEqual(items.map(({ source, message }) => [source?.component, message]).sort(), [
    ['one', 'one saw default/a'],
    ['two', 'two saw default/a'],
  ])
  await inner.send({ method: 'GET', path: '/version', query: new URLSearchParams(), responseType: 'bytes' })
  await checkWorld(server)
  inner.close()
})

test('an operator that finds no server by its kubeconfig says so at once', async () => {
  const nowhere = startOperator(
    [
      controller('one')
        .for(ConfigMap)
        .reconcile(async () => {}),
    ],
    { kubeconfig: '/nothing/here' },
  )
  await assert.rejects(nowhere, /\/nothing\/here/)
})
