import { describe, test } from 'node:test'
import { Pod } from '../../api/core/v1/pod.js'
import { Service } from '../../api/core/v1/service.js'
import { EndpointSlice } from '../../api/discovery/v1/endpoint-slice.js'
import { finishPodDeletions } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import type { ControllerFlags } from '../catalogue.js'
import { makeNode } from '../nodes/nodes.test.kit.js'
import { makePod, makeService, setPod, viewOfServices } from '../services/services.test.kit.js'

const controllers = ['endpointslice-controller', 'endpoints-controller']

function play(
  name: string,
  script: (stage: Transcript) => Promise<void>,
  controllerFlags: Partial<ControllerFlags> = {},
): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, { controllers, view: viewOfServices, controllerFlags }, script)
}

describe('the addresses of a service', () => {
  test('come and go with its pods', () =>
    play('pods-come-and-go', async (stage) => {
      const { cluster } = stage
      const pods = cluster.client.resource(Pod).in('default')
      await stage.step('a node', () => makeNode(cluster, 'one', { zone: 'z1' }))
      await stage.step('a service without pods', () => makeService(cluster))
      await stage.advance('10s')
      await stage.step('two pods, which have no address yet', async () => {
        await makePod(cluster, 'a', { spec: { hostname: 'a', subdomain: 'web' } })
        await makePod(cluster, 'b')
      })
      await stage.step('they start', async () => {
        await setPod(cluster, 'a', { ip: '10.0.0.1', isReady: false })
        await setPod(cluster, 'b', { ip: '10.0.0.2', isReady: false })
      })
      await stage.advance('5s')
      await stage.step('a is ready', () => setPod(cluster, 'a', {}))
      await stage.advance('5s')
      await stage.step('b is ready', () => setPod(cluster, 'b', {}))
      await stage.advance('1h')
      await stage.step('a is to go', () => pods.delete('a'))
      await stage.step('a does not serve any more', () => setPod(cluster, 'a', { isReady: false }))
      await stage.step('a has gone', () => finishPodDeletions(cluster))
      await stage.step('b belongs to another', () =>
        pods.patch('b', 'merge', { metadata: { labels: { app: 'other' } } }),
      )
      await stage.step('and comes back', () => pods.patch('b', 'merge', { metadata: { labels: { app: 'web' } } }))
      await stage.step('b ends', () => setPod(cluster, 'b', { isReady: false, phase: 'Succeeded' }))
      await stage.step('the service goes', () => cluster.client.resource(Service).in('default').delete('web'))
    }))

  test('are packed so that few slices change', () =>
    play(
      'packing',
      async (stage) => {
        const { cluster } = stage
        await makeNode(cluster, 'one')
        await stage.step('a service with seven pods, three in each slice', async () => {
          await makeService(cluster)
          for (let i = 1; i <= 7; i++) await makePod(cluster, `p${i}`, { ip: `10.0.0.${i}` })
        })
        await stage.step('two pods of the first slice go', async () => {
          for (const name of ['p1', 'p2'])
            await cluster.client.resource(Pod).in('default').delete(name, { gracePeriodSeconds: 0 })
        })
        await stage.step('three pods come', async () => {
          for (let i = 8; i <= 10; i++) await makePod(cluster, `p${i}`, { ip: `10.0.0.${i}` })
        })
        await stage.step('somebody deletes a slice', async () => {
          const slices = cluster.client.resource(EndpointSlice).in('default')
          const { items } = await slices.list({ labelSelector: 'kubernetes.io/service-name=web' })
          const second = items.find(({ endpoints = [] }) =>
            endpoints.some(({ addresses }) => addresses[0] === '10.0.0.4'),
          )
          await slices.delete(second!.metadata.name!)
        })
      },
      { 'max-endpoints-per-slice': 3 },
    ))

  test('have the ports that each pod has', () =>
    play('named-ports', async (stage) => {
      const { cluster } = stage
      const port = (containerPort: number) => ({
        containers: [{ name: 'c', image: 'web', ports: [{ name: 'http', containerPort }] }],
      })
      await makeNode(cluster, 'one')
      await stage.step('pods that call different ports the same', async () => {
        await makeService(cluster, { ports: [{ name: 'web', port: 80, targetPort: 'http' }] })
        await makePod(cluster, 'a', { ip: '10.0.0.1', spec: port(8080) })
        await makePod(cluster, 'b', { ip: '10.0.0.2', spec: port(9090) })
        await makePod(cluster, 'c', { ip: '10.0.0.3' })
      })
      await stage.step('another port is asked for', () =>
        cluster.client
          .resource(Service)
          .in('default')
          .patch('web', 'merge', { spec: { ports: [{ name: 'raw', port: 90, targetPort: 90 }] } }),
      )
    }))

  test('of a headless service are told in any case, if that is asked for', () =>
    play('headless', async (stage) => {
      const { cluster } = stage
      await makeNode(cluster, 'one')
      await stage.step('a headless service without ports', async () => {
        await makeService(cluster, { clusterIP: 'None', ports: [], publishNotReadyAddresses: true }, { team: 'a' })
        await makePod(cluster, 'a', { ip: '10.0.0.1', isReady: false })
        await makePod(cluster, 'b', { ip: '10.0.0.2', isReady: false, node: 'unknown' })
      })
      await stage.step('one is to go', () => cluster.client.resource(Pod).in('default').delete('a'))
      const label = { metadata: { labels: { team: 'b' } } }
      await stage.step('it belongs to another team', () =>
        cluster.client.resource(Service).in('default').patch('web', 'merge', label),
      )
    }))

  test('leave out pods on nodes that nobody knows, until they are known', () =>
    play('unknown-node', async (stage) => {
      const { cluster } = stage
      await stage.step('a pod on a node that is not there', async () => {
        await makeService(cluster)
        await makePod(cluster, 'a', { ip: '10.0.0.1' })
      })
      await stage.advance('1h')
      await stage.step('the node is there', () => makeNode(cluster, 'one', { zone: 'z1' }))
      await stage.advance('1h')
    }))

  test('are for those who are near, if that is asked for', () =>
    play('traffic-distribution', async (stage) => {
      const { cluster } = stage
      const set = (trafficDistribution: string | null) => () =>
        cluster.client.resource(Service).in('default').patch('web', 'merge', { spec: { trafficDistribution } })
      await makeNode(cluster, 'one', { zone: 'z1' })
      await makeNode(cluster, 'two')
      await stage.step('pods in a zone and in none', async () => {
        await makeService(cluster, { trafficDistribution: 'PreferSameZone' })
        await makePod(cluster, 'a', { ip: '10.0.0.1' })
        await makePod(cluster, 'b', { ip: '10.0.0.2', node: 'two' })
        await makePod(cluster, 'c', { ip: '10.0.0.3', isReady: false })
      })
      await stage.step('on the same node, if possible', set('PreferSameNode'))
      await stage.step('anywhere', set(null))
    }))

  test('are divided among zones, if that is asked for and there are enough', () =>
    play('zone-hints', async (stage) => {
      const { cluster } = stage
      const mode = (value: string | null) => () =>
        cluster.client
          .resource(Service)
          .in('default')
          .patch('web', 'merge', { metadata: { annotations: { 'service.kubernetes.io/topology-mode': value } } })
      await makeNode(cluster, 'one', { zone: 'z1' })
      await makeNode(cluster, 'two', { zone: 'z2' })
      await stage.step('three pods in one zone, one in the other', async () => {
        await makeService(cluster)
        for (const [i, node] of ['one', 'one', 'one', 'two'].entries())
          await makePod(cluster, `p${i + 1}`, { ip: `10.0.0.${i + 1}`, node })
      })
      await stage.step('they are to be divided', mode('Auto'))
      await stage.step('a third zone', () => makeNode(cluster, 'three', { zone: 'z3' }))
      await stage.step('a fourth and a fifth', async () => {
        await makeNode(cluster, 'four', { zone: 'z4' })
        await makeNode(cluster, 'five', { zone: 'z5' })
      })
      await stage.step('they are not to be divided any more', mode(null))
    }))
})
