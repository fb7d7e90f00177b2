import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Deployment } from 'proa/api/apps/v1/deployment'
import { ConfigMap } from 'proa/api/core/v1/config-map'
import { Pod } from 'proa/api/core/v1/pod'
import { Service } from 'proa/api/core/v1/service'
import { startOperator } from 'proa/controllers'
import { type Cluster, startCluster } from 'proa/testing'
import { websites } from './website.js'

const namespace = 'default'
const label = 'example.com/website'
const status = 'example.com/website-status'

/** Beside this file, or where it is in the repository of Proa. */
const rights = readFileSync(['operator.yaml', 'examples/operator/operator.yaml'].find(existsSync)!, 'utf8')

function website(data: Readonly<Record<string, string>>) {
  return { metadata: { name: 'shop', namespace, labels: { [label]: '' } }, data }
}

/** Starts a cluster on a virtual clock, and the operator in it, as the service account that `operator.yaml` creates. */
async function startWithOperator() {
  const cluster = await startCluster({ clock: 'virtual' })
  await cluster.apply(rights)
  const operator = await startOperator([websites], { cluster: cluster.as({ serviceAccount: 'website-operator' }) })
  return {
    cluster,
    client: cluster.client,
    async [Symbol.asyncDispose]() {
      await operator.close()
      await cluster.close()
    },
  }
}

/** Waits until the website says so of itself. */
function statusBecomes(cluster: Cluster, wanted: string | RegExp) {
  return cluster.waitFor(ConfigMap, 'shop', ({ metadata }) => {
    const now = metadata.annotations?.[status] ?? ''
    return typeof wanted === 'string' ? now === wanted : wanted.test(now)
  })
}

describe('the website operator', () => {
  test('keeps a deployment and a service for a config map, and reports how many pods are ready', async () => {
    await using scene = await startWithOperator()
    const { client, cluster } = scene
    await client.resource(ConfigMap).create(website({ image: 'shop:1', replicas: '2', port: '8080' }))
    await statusBecomes(cluster, '2 of 2 ready')
    const { spec } = await client.resource(Deployment).in(namespace).get('shop')
    assert.equal(spec.replicas, 2)
    assert.equal(spec.template.spec?.containers[0]?.image, 'shop:1')
    const { ports, selector } = (await client.resource(Service).in(namespace).get('shop')).spec
    assert.deepEqual([ports?.[0]?.port, ports?.[0]?.targetPort, selector], [80, 8080, { [label]: 'shop' }])
  })

  test('follows changes, and repairs what others change or delete', async () => {
    await using scene = await startWithOperator()
    const { client, cluster } = scene
    const deployments = client.resource(Deployment).in(namespace)
    const services = client.resource(Service).in(namespace)
    await client.resource(ConfigMap).create(website({ image: 'shop:1' }))
    await statusBecomes(cluster, '1 of 1 ready')
    const changed = { data: { image: 'shop:2', replicas: '3' } }
    await client.resource(ConfigMap).in(namespace).patch('shop', 'merge', changed)
    await statusBecomes(cluster, '3 of 3 ready')
    assert.equal((await deployments.get('shop')).spec.template.spec?.containers[0]?.image, 'shop:2')
    await deployments.patch('shop', 'merge', { spec: { replicas: 7 } })
    await cluster.waitFor(Deployment, 'shop', ({ spec }) => spec.replicas === 3)
    const { uid } = (await services.get('shop')).metadata
    await services.delete('shop')
    await cluster.waitFor(Service, 'shop', ({ metadata }) => metadata.uid !== uid)
  })

  test('does nothing while nothing happens', async () => {
    await using scene = await startWithOperator()
    const { client, cluster } = scene
    await client.resource(ConfigMap).create(website({ replicas: '2' }))
    await statusBecomes(cluster, '2 of 2 ready')
    await cluster.advance('1m')
    const versions = () =>
      Promise.all(
        [ConfigMap, Deployment, Service].map(async (kind) => {
          const { metadata } = await client.resource(kind).in(namespace).get('shop')
          return metadata.resourceVersion
        }),
      )
    const before = await versions()
    await cluster.advance('1h')
    assert.deepEqual(await versions(), before)
  })

  test('deletes everything when the label goes, and when the config map goes', async () => {
    await using scene = await startWithOperator()
    const { client, cluster } = scene
    const sites = client.resource(ConfigMap).in(namespace)
    const left = async () => {
      await cluster.advance('2m')
      const kinds = [Deployment, Service, Pod]
      const lists = await Promise.all(kinds.map((kind) => client.resource(kind).in(namespace).list()))
      const names = lists.flatMap(({ items }) => items.map(({ metadata }) => metadata.name))
      return names.filter((name) => name !== 'kubernetes').length
    }
    await sites.create(website({}))
    assert.equal(await left(), 3)
    await sites.patch('shop', 'merge', { metadata: { labels: { [label]: null } } })
    assert.equal(await left(), 0)
    assert.equal((await sites.get('shop')).metadata.annotations?.[status], undefined)
    await sites.patch('shop', 'merge', { metadata: { labels: { [label]: '' } } })
    assert.equal(await left(), 3)
    await sites.delete('shop')
    assert.equal(await left(), 0)
  })

  test('leaves the objects of others alone, and reports what is wrong with a website', async () => {
    await using scene = await startWithOperator()
    const { client, cluster } = scene
    const sites = client.resource(ConfigMap).in(namespace)
    const services = client.resource(Service).in(namespace)
    await services.create({ metadata: { name: 'shop' }, spec: { ports: [{ port: 1 }] } })
    await sites.create(website({ replicas: '-1' }))
    await statusBecomes(cluster, 'there is another Service of that name')
    await services.delete('shop')
    await sites.patch('shop', 'merge', { data: { port: '8080' } })
    await statusBecomes(cluster, /^Deployment.apps "shop" is invalid: spec.replicas: Invalid value: -1/)
    await sites.patch('shop', 'merge', { data: { replicas: '1' } })
    await statusBecomes(cluster, '1 of 1 ready')
  })
})
