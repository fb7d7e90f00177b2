import { describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { TestCluster } from '../../testing/cluster.js'
import { writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'

const options = {
  controllers: ['pod-garbage-collector-controller'],
  controllerFlags: { 'terminated-pod-gc-threshold': 2 },
  view,
}

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, options, script)
}

describe('pods that nobody else deletes', () => {
  test('when a node is lost', () =>
    play('lost-node', async (stage) => {
      const { cluster } = stage
      const pods = cluster.client.resource(Pod).in('default')
      await stage.step('two nodes, a pod on each, one of them held', async () => {
        await makeNodes(cluster, 'a', 'b')
        await makePod(cluster, 'on-a', 'a', ['example.com/hold'])
        await makePod(cluster, 'on-b', 'b')
        await writePodStatuses(cluster, () => true, { phase: 'Running' })
      })
      await stage.step('a node is deleted', () => cluster.client.resource(Node).delete('a'))
      await stage.advance('30s')
      await stage.advance('29s')
      await stage.advance('1s')
      await stage.step('the finalizer is removed', () =>
        pods.patch('on-a', 'merge', { metadata: { finalizers: null } }),
      )
    }))

  test('when a node is out of service', () =>
    play('out-of-service', async (stage) => {
      const { cluster } = stage
      const nodes = cluster.client.resource(Node)
      await stage.step('a node that is not ready, and its pod is deleted', async () => {
        await makeNodes(cluster, 'a')
        await makePod(cluster, 'stuck', 'a')
        await writePodStatuses(cluster, () => true, { phase: 'Running' })
        await cluster.client.resource(Pod).in('default').delete('stuck')
      })
      await stage.advance('10m')
      await stage.step('somebody says that the node is out of service', () =>
        nodes.patch('a', 'merge', {
          spec: { taints: [{ key: 'node.kubernetes.io/out-of-service', value: 'nodeshutdown', effect: 'NoExecute' }] },
        }),
      )
      await stage.advance('20s')
    }))

  test('when too many have ended', () =>
    play('ended', async (stage) => {
      const { cluster } = stage
      await makeNodes(cluster, 'a')
      for (const name of ['first', 'second', 'third', 'fourth']) {
        await stage.step(`${name} ends`, async () => {
          await makePod(cluster, name, 'a')
          await writePodStatuses(cluster, ({ metadata }) => metadata.name === name, { phase: 'Succeeded' })
        })
        await stage.advance('5s')
      }
      await stage.advance('1m')
    }))
})

async function makeNodes({ client }: TestCluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) await client.resource(Node).create({ metadata: { name } })
}

async function makePod(
  { client }: TestCluster,
  name: string,
  nodeName: string,
  finalizers: readonly string[] = [],
): Promise<void> {
  const spec = { nodeName, containers: [{ name: 'c', image: 'web' }] }
  await client.resource(Pod).create({ metadata: { name, namespace: 'default', finalizers }, spec })
}

async function view({ client }: TestCluster): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { metadata, spec, status } of (await client.resource(Pod).in('default').list()).items) {
    lines.push(`Pod ${metadata.name} on ${spec.nodeName} ${status.phase}${metadata.deletionTimestamp ? ', to go' : ''}`)
    for (const { type, status: is, reason, message } of status.conditions ?? [])
      if (reason !== undefined) lines.push(`  ${type}=${is} ${reason}: ${message}`)
  }
  return lines.length === 0 ? ['nothing'] : lines
}
