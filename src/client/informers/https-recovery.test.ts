import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as realTime } from 'node:timers/promises'
import { ConfigMap } from '../../api/core/v1/config-map.js'
import { environment } from '../../base/environment.js'
import { seededRandom } from '../../base/random.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { TcpProxy } from '../../testing/faults/tcp-proxy.js'
import { startTestApiServer, type TestApiServer } from '../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../testing/servers/clients.js'
import type { Client } from '../client.js'
import type { ResourceClient } from '../resource-client.js'
import type { Informer } from './informer.js'
import { Informers } from './informers.js'

const attempts = 2_000

/** Real sockets; the patience of the informer is that of a clock which the test moves. */
describe('an informer over real connections', () => {
  const clock = new VirtualClock()
  let server: TestApiServer
  let proxy: TcpProxy
  let client: Client
  let configMaps: ResourceClient<ConfigMap>
  let informers: Informers
  let informer: Informer<ConfigMap>
  const changes: string[] = []
  let count = 0

  before(async () => {
    server = await startTestApiServer()
    proxy = await TcpProxy.to(server.url)
    client = httpsClient({ ...server, url: `https://${proxy.address}` })
    configMaps = inProcessClient(server).resource(ConfigMap).in('default')
    informers = new Informers(client, environment({ clock, random: seededRandom(1) }))
    informer = informers.of(ConfigMap, { namespace: 'default' })
    informer.onChange(({ type, object }) => changes.push(`${type} ${object.metadata.name} ${object.data?.value}`))
    await eventually(() => informer.isSynced)
  })
  after(async () => {
    await informers.close()
    client.close()
    await proxy[Symbol.asyncDispose]()
    await server.close()
  })

  /** In real time, and little by little in the informer's: a back-off ends, and a request that is under way is not given up. */
  async function eventually(condition: () => boolean): Promise<void> {
    for (let i = 0; i < attempts && !condition(); i++) {
      await realTime(5)
      await clock.advance(50)
    }
    assert.ok(condition())
  }

  async function write(): Promise<void> {
    const value = `${count++}`
    await configMaps.apply({ metadata: { name: 'a' }, data: { value } }, { fieldManager: 'tester' })
  }

  const isUpToDate = () => informer.get('default/a')?.data?.value === `${count - 1}`

  test('gets changes', async () => {
    await write()
    await eventually(isUpToDate)
  })

  test('continues after a connection reset', async () => {
    proxy.reset()
    await write()
    await eventually(isUpToDate)
  })

  test('continues after a time without a server', async () => {
    await proxy.cut()
    await write()
    await clock.advance('5m')
    assert.ok(!isUpToDate())
    await proxy.restore()
    await eventually(isUpToDate)
  })

  test('replaces a connection without any messages', async () => {
    proxy.stall()
    await write()
    await eventuallyIdle()
    assert.ok(!isUpToDate(), 'nothing comes through')
    await clock.advance('91s')
    await eventually(isUpToDate)
  })

  test('continues after lost responses on all connections', async () => {
    proxy.dropResponses()
    await write()
    await clock.advance('5m')
    assert.ok(!isUpToDate())
    await proxy.restore()
    await eventually(isUpToDate)
  })

  test('reports every event once and in order through repeated faults', async () => {
    const random = seededRandom(3)
    const mishaps = [() => proxy.reset(), () => proxy.stall(), () => proxy.dropResponses(), () => proxy.cut()] as const
    for (let i = 0; i < 12; i++) {
      await mishaps[random.integer(mishaps.length)]!()
      await write()
      await clock.advance(random.integer(200_000))
      await write()
      await proxy.restore()
      if (random.float() < 0.5) await eventually(isUpToDate)
    }
    await eventually(isUpToDate)
    const updates = Array.from({ length: count - 1 }, (_, i) => `updated a ${i + 1}`)
    assert.deepEqual(
      changes.filter((each) => !each.includes('kube-root-ca')),
      ['added a 0', ...updates],
    )
  })

  /** So long that what was sent would have come. */
  async function eventuallyIdle(): Promise<void> {
    for (let i = 0; i < 20; i++) {
      await realTime(5)
      await clock.advance(5)
    }
  }
})
