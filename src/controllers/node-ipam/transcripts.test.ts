import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { startTestCluster, type TestCluster } from '../../testing/cluster.js'
import { checkTranscript } from '../../testing/controllers/transcript.js'
import { ControllerHarness } from '../harness.test.kit.js'
import { makeNode } from '../nodes/nodes.test.kit.js'

const controllers = ['node-ipam-controller']

async function viewOfRanges({ client }: TestCluster): Promise<readonly string[]> {
  const { items } = await client.resource(Node).list()
  return items.map(({ metadata, spec }) => `Node ${metadata.name}: ${spec.podCIDR} [${spec.podCIDRs?.join(' ') ?? ''}]`)
}

describe('the addresses of pods', () => {
  test('are given to nodes, and taken back when these go', () => {
    const controllerFlags = {
      'allocate-node-cidrs': true,
      'cluster-cidr': '10.1.0.0/22,fd00::/48',
      'service-cluster-ip-range': ['10.1.0.0/24'],
    }
    const options = { controllers, controllerFlags, view: viewOfRanges }
    return checkTranscript({ of: import.meta.url, name: 'ranges' }, options, async (stage) => {
      const { cluster } = stage
      const nodes = cluster.client.resource(Node)
      await stage.step('one node has a range, two have none', async () => {
        const podCIDRs = ['10.1.2.0/24', 'fd00:0:0:7::/64']
        await nodes.create({ metadata: { name: 'old' }, spec: { podCIDR: podCIDRs[0]!, podCIDRs } })
        await makeNode(cluster, 'a')
        await makeNode(cluster, 'b')
      })
      await stage.step('all is started anew', () => cluster.restartControllers())
      await stage.step('a third node, for which nothing is left', () => makeNode(cluster, 'c'))
      await stage.step('a fourth', () => makeNode(cluster, 'd'))
      await stage.step('one goes', () => nodes.delete('old'))
      await stage.advance('1m')
    })
  })

  test('that a node has are known before any are given', async () => {
    await using harness = await ControllerHarness.begin()
    const nodes = harness.client.resource(Node)
    await nodes.create({ metadata: { name: 'a' } })
    const podCIDRs = ['10.1.0.0/24']
    await nodes.create({ metadata: { name: 'b' }, spec: { podCIDR: podCIDRs[0]!, podCIDRs } })
    harness.start({
      controllers,
      options: { flags: { 'allocate-node-cidrs': true, 'cluster-cidr': '10.1.0.0/16' } },
    })
    await harness.clock.settle()
    assert.equal((await nodes.get('a')).spec.podCIDR, '10.1.1.0/24')
  })

  test("are nobody's matter unless ranges are given", async () => {
    await using cluster = await startTestCluster({ controllers: [...controllers, 'ttl-controller'] })
    await makeNode(cluster, 'a')
    const told = 'node.alpha.kubernetes.io/ttl'
    for (let tries = 0; tries < 1000; tries++) {
      const { metadata, spec } = await cluster.client.resource(Node).get('a')
      if (metadata.annotations?.[told] === undefined) continue
      assert.equal(spec.podCIDR, undefined)
      return
    }
    assert.fail('no loop has looked at the node')
  })
})
