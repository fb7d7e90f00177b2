import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError, environment, type InProcessHandler, inProcessTransport } from 'proa/client'
import { startOperator } from 'proa/controllers'
import { Deployment } from '../../src/api/apps/v1/deployment.js'
import { ConfigMap } from '../../src/api/core/v1/config-map.js'
import { Pod } from '../../src/api/core/v1/pod.js'
import { Service } from '../../src/api/core/v1/service.js'
import { ApiError as ServerError } from '../../src/api/errors.js'
import { VirtualClock } from '../../src/base/virtual-clock.js'
import type { Client } from '../../src/client/client.js'
import { startTestCluster, type TestCluster } from '../../src/testing/cluster.js'
import { playPods } from '../../src/testing/played-pods.js'
import { applyRights, label, namespace, status, user, website } from './operator.test.kit.js'
import { websites } from './website.js'

/** A cluster with a virtual clock, and the operator with the rights that its file gives it. */
interface Scene extends AsyncDisposable {
  readonly cluster: TestCluster
  readonly clock: VirtualClock
  readonly client: Client
  /** What the config map `shop` says of itself. */
  status(): Promise<string | undefined>
}

async function setScene(): Promise<Scene> {
  const clock = new VirtualClock()
  const surroundings = environment({ clock })
  const cluster = await startTestCluster({ environment: surroundings })
  const { client } = cluster
  await applyRights(client)
  const transport = inProcessTransport({ handle: withErrorsOfPackage(cluster.api.handleInProcess), user })
  const operator = await startOperator([websites], { transport, environment: surroundings })
  return {
    cluster,
    clock,
    client,
    async status() {
      await clock.settle()
      return (await client.resource(ConfigMap).in(namespace).get('shop')).metadata.annotations?.[status]
    },
    async [Symbol.asyncDispose]() {
      await clock.advance('1m')
      await operator.close()
      transport.close()
      await cluster.close()
    },
  }
}

/** The operator uses the built package, and the server of this test does not: they have a class of errors each. */
function withErrorsOfPackage(answer: InProcessHandler): InProcessHandler {
  return (request) =>
    answer(request).catch((error: unknown) => {
      throw error instanceof ServerError ? new ApiError(error.status()) : error
    })
}

describe('the website operator', () => {
  test('keeps a deployment and a service for a config map, and tells how many pods are ready', async () => {
    await using scene = await setScene()
    const { client, cluster } = scene
    await client.resource(ConfigMap).create(website({ image: 'shop:1', replicas: '2', port: '8080' }))
    assert.equal(await scene.status(), '0 of 2 ready')
    const deployment = await client.resource(Deployment).in(namespace).get('shop')
    assert.equal(deployment.spec.replicas, 2)
    assert.deepEqual(
      deployment.spec.template.spec?.containers.map(({ image }) => image),
      ['shop:1'],
    )
    const { ports, selector } = (await client.resource(Service).in(namespace).get('shop')).spec
    assert.deepEqual([ports?.[0]?.port, ports?.[0]?.targetPort, selector], [80, 8080, { [label]: 'shop' }])
    assert.equal(await playPods(cluster, () => true, { phase: 'Running' }), 2)
    assert.equal(await scene.status(), '2 of 2 ready')
  })

  test('follows what changes, mends what others change, and makes again what others delete', async () => {
    await using scene = await setScene()
    const { client, clock } = scene
    const [sites, deployments] = [client.resource(ConfigMap).in(namespace), client.resource(Deployment).in(namespace)]
    await sites.create(website({ image: 'shop:1' }))
    await clock.settle()
    await sites.patch('shop', 'merge', { data: { image: 'shop:2', replicas: '3' } })
    assert.equal(await scene.status(), '0 of 3 ready')
    const image = async () => (await deployments.get('shop')).spec.template.spec?.containers[0]?.image
    assert.equal(await image(), 'shop:2')
    await deployments.patch('shop', 'merge', { spec: { replicas: 7 } })
    await clock.settle()
    assert.equal((await deployments.get('shop')).spec.replicas, 3)
    const services = client.resource(Service).in(namespace)
    const { uid } = (await services.get('shop')).metadata
    await services.delete('shop')
    await clock.settle()
    assert.notEqual((await services.get('shop')).metadata.uid, uid)
  })

  test('does nothing while nothing happens', async () => {
    await using scene = await setScene()
    const { client, clock, cluster } = scene
    await client.resource(ConfigMap).create(website({ replicas: '2' }))
    await clock.settle()
    await playPods(cluster, () => true, { phase: 'Running' })
    await clock.advance('1m')
    const versions = async () =>
      Promise.all(
        [ConfigMap, Deployment, Service].map(async (kind) => {
          const { metadata } = await client.resource(kind).in(namespace).get('shop')
          return metadata.resourceVersion
        }),
      )
    const before = await versions()
    await clock.advance('1h')
    assert.deepEqual(await versions(), before)
  })

  test('takes all away when the label goes, and when the config map goes', async () => {
    await using scene = await setScene()
    const { client, clock } = scene
    const sites = client.resource(ConfigMap).in(namespace)
    const left = async () => {
      await clock.advance('1m')
      const kinds = [Deployment, Service, Pod]
      const lists = await Promise.all(kinds.map((kind) => client.resource(kind).in(namespace).list()))
      return lists
        .flatMap(({ items }) => items.map(({ metadata }) => metadata.name))
        .filter((name) => name !== 'kubernetes')
    }
    await sites.create(website({}))
    assert.equal((await left()).length, 3)
    await sites.patch('shop', 'merge', { metadata: { labels: { [label]: null } } })
    assert.deepEqual(await left(), [])
    assert.equal(await scene.status(), undefined)
    await sites.patch('shop', 'merge', { metadata: { labels: { [label]: '' } } })
    assert.equal((await left()).length, 3)
    await sites.delete('shop')
    assert.deepEqual(await left(), [])
  })

  test('leaves what others have made alone, and says what is wrong with what was asked', async () => {
    await using scene = await setScene()
    const { client, clock } = scene
    const sites = client.resource(ConfigMap).in(namespace)
    const services = client.resource(Service).in(namespace)
    await services.create({ metadata: { name: 'shop' }, spec: { ports: [{ port: 1 }] } })
    await sites.create(website({ replicas: '-1' }))
    assert.equal(await scene.status(), 'there is another Service of that name')
    await services.delete('shop')
    await sites.patch('shop', 'merge', { data: { port: '8080' } })
    assert.match((await scene.status()) ?? '', /^Deployment.apps "shop" is invalid: spec.replicas: Invalid value: -1/)
    await sites.patch('shop', 'merge', { data: { replicas: '1' } })
    assert.equal(await scene.status(), '0 of 1 ready')
    await clock.settle()
  })
})
