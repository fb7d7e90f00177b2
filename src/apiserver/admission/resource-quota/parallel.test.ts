import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { seededRandom } from '../../../base/random.js'
import type { Client } from '../../../client/client.js'
import { startTestApiServer, type TestApiServer } from '../../../testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../../../testing/servers/clients.js'
import type { AdmissionPlugin } from '../admission.js'
import { QuotaTrial } from './quota-server.test.kit.js'

type Plugins = readonly AdmissionPlugin[]

/** Orders of plugins; which one it is must not matter. */
const orders: Readonly<Record<string, (plugins: Plugins) => Plugins>> = {
  'of upstream': (plugins) => plugins,
  'that is turned around': (plugins) => plugins.toReversed(),
  'with quotas first': (plugins) => plugins.toSorted((left, right) => rank(left) - rank(right)),
  'by chance (1)': (plugins) => shuffled(plugins, 1),
  'by chance (2)': (plugins) => shuffled(plugins, 2),
}

function rank({ name }: AdmissionPlugin): number {
  return name === 'ResourceQuota' ? 0 : 1
}

function shuffled(plugins: Plugins, seed: number): Plugins {
  const random = seededRandom(seed)
  const marked = plugins.map((plugin) => ({ plugin, at: random.float() }))
  return marked.sort((left, right) => left.at - right.at).map(({ plugin }) => plugin)
}

const ways: Readonly<Record<string, (server: TestApiServer) => Client>> = {
  'over HTTPS': (server) => httpsClient(server),
  'in process': (server) => inProcessClient(server),
}

const names = Array.from({ length: 200 }, (_, index) => `pod-${index}`)

for (const [order, arrange] of Object.entries(orders))
  suite(`with plugins in an order ${order}`, () => {
    let server: TestApiServer
    const clients = new Map<string, Client>()
    before(async () => {
      server = await startTestApiServer({ options: { admission: { enabled: [], disabled: [], arrange } } })
      for (const [way, connect] of Object.entries(ways)) clients.set(way, connect(server))
    })
    after(async () => {
      for (const client of clients.values()) client.close()
      await server.close()
    })

    for (const way of Object.keys(ways)) {
      const suffix = way.replace(/\W+/g, '-').toLowerCase()
      const trialIn = (namespace: string) => new QuotaTrial(clients.get(way)!, `${namespace}-${suffix}`)

      test(`of 200 creates at once under a quota of 100 exactly 100 succeed, ${way}`, async () => {
        const trial = trialIn('crowd')
        await trial.prepare({ pods: '100' })
        const made = await Promise.all(names.map((name) => trial.create(name)))
        assert.equal(made.filter(Boolean).length, 100)
        assert.equal(await trial.podCount(), 100)
        assert.equal(await trial.used(), 100)
      })

      test(`what another plugin refuses costs nothing, ${way}`, async () => {
        const trial = trialIn('strict')
        await trial.prepare({ pods: '200' }, { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } })
        const made = await Promise.all(names.map((name, i) => trial.create(name, { hostPID: i % 2 === 0 })))
        assert.equal(made.filter(Boolean).length, 100)
        assert.equal(await trial.podCount(), 100)
        assert.equal(await trial.used(), 100)
      })

      test(`a quota with a scope counts those that are in it, and the others need no room, ${way}`, async () => {
        const trial = trialIn('scoped')
        await trial.prepare({ pods: '40' }, { scopes: ['BestEffort' as never] })
        const sized = { containers: [{ name: 'main', image: 'app:1', resources: { requests: { cpu: '1m' } } }] }
        const made = await Promise.all(names.map((name, i) => trial.create(name, i % 2 === 0 ? sized : {})))
        assert.equal(made.filter((isMade, i) => isMade && i % 2 === 0).length, 100)
        assert.equal(made.filter((isMade, i) => isMade && i % 2 === 1).length, 40)
        assert.equal(await trial.used(), 40)
      })

      test(`pods that come and go are never too many, and what is free is taken again, ${way}`, async () => {
        const trial = trialIn('mixed')
        await trial.prepare({ pods: '50' })
        let most = 0
        let isOver = false
        const watching = (async () => {
          while (!isOver) most = Math.max(most, await trial.podCount())
        })()
        const comingAndGoing = names.slice(0, 100).map(async (name, i) => {
          if ((await trial.create(name)) && i % 2 === 0) await trial.delete(name)
        })
        const counting = Promise.all(comingAndGoing).then(() => trial.recount())
        for (let i = 0; i < 5; i++) await trial.recount()
        await counting
        isOver = true
        await watching
        assert.ok(most <= 50, `there were ${most} pods`)
        assert.equal(await trial.used(), await trial.podCount())
        const free = 50 - (await trial.podCount())
        const made = await Promise.all(names.slice(100).map((name) => trial.create(name)))
        assert.equal(made.filter(Boolean).length, free)
        assert.equal(await trial.used(), 50)
      })
    }
  })
