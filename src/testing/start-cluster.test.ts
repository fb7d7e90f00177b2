import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as realTime } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { Deployment } from '../api/apps/v1/deployment.js'
import { ConfigMap } from '../api/core/v1/config-map.js'
import { Node } from '../api/core/v1/node.js'
import { Pod } from '../api/core/v1/pod.js'
import { EndpointSlice } from '../api/discovery/v1/endpoint-slice.js'
import type { Clock } from '../base/clock.js'
import { startCluster } from './start-cluster.js'

const settings = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { colour: 'blue' } }

test('objects and YAML are applied, one after the other and again', async () => {
  await using cluster = await startCluster()
  await cluster.apply(settings, 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop}\n---\n', {
    kind: 'List',
    items: [{ ...settings, metadata: { name: 'settings', namespace: 'shop' } }],
  })
  const [changed] = await cluster.apply({ ...settings, data: { colour: 'red' } })
  assert.deepEqual((changed as ConfigMap).data, { colour: 'red' })
  assert.equal((await cluster.client.resource(ConfigMap).in('shop').get('settings')).data?.colour, 'blue')
})

test('what cannot be applied is said', async () => {
  await using cluster = await startCluster()
  await assert.rejects(cluster.apply({ kind: 'ConfigMap', metadata: { name: 'a' } }), /needs apiVersion, kind and/)
  await assert.rejects(cluster.apply({ ...settings, kind: 'Nothing' }), /no matches for kind "Nothing" in version "v1"/)
})

test('waiting ends with what was wanted, or with what is there instead', async () => {
  await using cluster = await startCluster({ clock: 'virtual' })
  await cluster.apply(settings)
  assert.equal((await cluster.waitFor(ConfigMap, 'settings')).data?.colour, 'blue')
  await assert.rejects(
    cluster.waitFor(ConfigMap, 'settings', ({ data }) => data?.colour === 'red', { timeout: '1m' }),
    /ConfigMap settings was not as wanted within 1m; it is \{.*blue/s,
  )
})

test('informers of the cluster get no periodic bookmarks; other watches do', async () => {
  await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
  const count = async (sparseBookmarks: boolean) => {
    const options = { resourceVersion: '1', allowWatchBookmarks: true, timeoutSeconds: 600, sparseBookmarks }
    const batches = await cluster.client.resource(ConfigMap).in('default').watchBatches(options)
    const watched = bookmarksIn(batches)
    await cluster.advance('10m')
    return watched
  }
  assert.equal(await count(true), 1)
  assert.equal(await count(false), 10)
})

test('an idle hour needs few timers', async () => {
  await using cluster = await startCluster({ clock: 'virtual' })
  await cluster.advance('10m')
  const clock = cluster.clock as { timer: Clock['timer'] }
  const setTimer = clock.timer.bind(clock)
  let timers = 0
  clock.timer = (delay, run) => {
    timers++
    return setTimer(delay, run)
  }
  await cluster.advance('1h')
  assert.ok(timers < 8500, `${timers} timers were set`)
})

test('what the API server keeps up is restored within ten seconds', async () => {
  await using cluster = await startCluster({ clock: 'virtual', nodes: 0 })
  const slices = cluster.client.resource(EndpointSlice).in('default')
  await cluster.advance('1m')
  const { metadata, ...slice } = await slices.get('kubernetes')
  await slices.patch('kubernetes', 'merge', { endpoints: [] })
  await cluster.advance('11s')
  assert.deepEqual((await slices.get('kubernetes')).endpoints, slice.endpoints)
  await slices.delete('kubernetes')
  await cluster.advance('11s')
  assert.deepEqual((await slices.get('kubernetes')).endpoints, slice.endpoints)
})

test('a fork has all that was there, and goes its own way', async () => {
  await using cluster = await startCluster({ clock: 'virtual' })
  const labels = { app: 'web' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx' }] } }
  const web = { replicas: 2, selector: { matchLabels: labels }, template }
  await cluster.apply({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: web })
  await cluster.waitFor(Deployment, 'web', ({ status }) => status?.replicas === 2)
  await using fork = await cluster.fork()
  await fork.client
    .resource(Deployment)
    .in('default')
    .patch('web', 'merge', { spec: { replicas: 5 } })
  await fork.waitFor(Deployment, 'web', ({ status }) => status?.replicas === 5)
  await cluster.advance('1m')
  assert.equal((await cluster.waitFor(Deployment, 'web')).status?.replicas, 2)
})

test('pods run on simulated nodes, and end as they say', async () => {
  await using cluster = await startCluster({ clock: 'virtual', nodes: 3 })
  const annotations = { 'simulation.proa.dev/chore': '{ runFor: 5m, exitCode: 3 }' }
  const spec = { restartPolicy: 'Never', containers: [{ name: 'chore', image: 'busybox' }] }
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'chore', annotations }, spec })
  await cluster.waitFor(Pod, 'chore', ({ status }) => status?.phase === 'Running')
  const ended = await cluster.waitFor(Pod, 'chore', ({ status }) => status?.phase === 'Failed', { timeout: '10m' })
  assert.equal(ended.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 3)
  assert.equal((await cluster.client.resource(Node).list()).items.length, 3)
})

test('without nodes, pods wait', async () => {
  await using cluster = await startCluster({ nodes: 0 })
  const spec = { containers: [{ name: 'web', image: 'nginx' }] }
  await cluster.apply({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec })
  const { status } = await cluster.waitFor(Pod, 'web', ({ status }) => status?.conditions !== undefined)
  assert.equal(status?.conditions?.[0]?.message, 'no nodes available to schedule pods')
})

/** What is open, on disk and in memory. */
function footprint(folder: string) {
  collectGarbage()
  return {
    files: readdirSync(folder).filter((name) => !name.startsWith('proa-test-keys-')),
    handles: process.getActiveResourcesInfo().filter((name) => name !== 'Immediate' && name !== 'Timeout').length,
    megabytes: process.memoryUsage().heapUsed / 1e6,
  }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('twenty clusters one after the other leave nothing behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proa-clusters-'))
  process.env.TMPDIR = folder
  const live = async () => {
    await using cluster = await startCluster()
    await cluster.apply(settings)
  }
  for (let count = 0; count < 3; count++) await live()
  const before = footprint(folder)
  for (let count = 0; count < 20; count++) await live()
  await realTime(700) // sockets need a moment to close, and a server looks twice a second at who is late
  const after = footprint(folder)
  assert.deepEqual(after.files, [])
  assert.ok(after.handles <= before.handles, `${process.getActiveResourcesInfo()} are open`)
  const growth = after.megabytes - before.megabytes
  assert.ok(growth < 10, `twenty clusters left ${growth.toFixed(1)} MB`)
})

test('a fork of a seeded cluster makes no object with the uid of another', async () => {
  await using cluster = await startCluster({ clock: 'virtual', seed: 7, nodes: 0 })
  await cluster.apply(settings)
  await using fork = await cluster.fork()
  await fork.apply(...Array.from({ length: 30 }, (_, i) => ({ ...settings, metadata: { name: `more-${i}` } })))
  const { items } = await fork.client.resource(ConfigMap).list()
  assert.equal(new Set(items.map(({ metadata }) => metadata.uid)).size, items.length)
})

async function bookmarksIn(batches: AsyncIterable<readonly { readonly type: string }[]>): Promise<number> {
  let count = 0
  for await (const batch of batches) count += batch.filter(({ type }) => type === 'BOOKMARK').length
  return count
}
