import { describe, test } from 'node:test'
import { DaemonSet, type DaemonSetSpec } from '../../api/apps/v1/daemon-set.js'
import { Binding } from '../../api/core/v1/binding.js'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Taint } from '../../api/core/v1/taint.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions, writePodStatuses } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { isActive, isReady } from '../pods/readiness.js'
import { nodeNameOf } from './daemon-pod.js'
import { viewOfDaemonSets } from './view.test.kit.js'

const options = { controllers: ['daemonset-controller'], view: viewOfDaemonSets }

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, options, script)
}

async function makeNodes({ client }: TestCluster, ...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await client.resource(Node).create({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } })
    await taint({ client }, name) // a new node is tainted until somebody has seen that it is well
  }
}

async function taint(
  { client }: Pick<TestCluster, 'client'>,
  name: string,
  ...taints: readonly Taint[]
): Promise<void> {
  await client.resource(Node).patch(name, 'merge', { spec: { taints: taints.length > 0 ? taints : null } })
}

function make({ client }: TestCluster, spec: Partial<DaemonSetSpec> = {}): Promise<DaemonSet> {
  const labels = { app: 'd' }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'first' }] } }
  const metadata = { name: 'd', namespace: 'default' }
  return client.resource(DaemonSet).create({ metadata, spec: { selector: { matchLabels: labels }, template, ...spec } })
}

function setImage({ client }: TestCluster, image: string): Promise<DaemonSet> {
  const template = { spec: { containers: [{ name: 'c', image }] } }
  return client.resource(DaemonSet).in('default').patch('d', 'strategic', { spec: { template } })
}

/** What scheduler and kubelets do: pods that were deleted go, others are placed and become ready. */
async function run({ cluster, clock }: Transcript): Promise<void> {
  await finishPodDeletions(cluster)
  await clock.settle()
  await place(cluster)
  await writePodStatuses(cluster, (pod) => isActive(pod) && !isReady(pod), { phase: 'Running' })
}

async function place({ client }: TestCluster): Promise<void> {
  for (const pod of (await client.resource(Pod).list()).items) {
    if (pod.spec.nodeName) continue
    const target = { apiVersion: 'v1', kind: 'Node', name: nodeNameOf(pod)! }
    const { name, namespace } = pod.metadata
    await client
      .resource(Pod)
      .in(namespace!)
      .subresource('binding', Binding)
      .create({ metadata: { name: name! }, target })
  }
}

describe('a daemon set', () => {
  test('follows nodes that come and go', () =>
    play('nodes', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes', () => makeNodes(cluster, 'na', 'nb'))
      await stage.step('a daemon set', () => make(cluster))
      await stage.step('its pods run', () => run(stage))
      await stage.step('a third node', () => makeNodes(cluster, 'nc'))
      await stage.step('the third pod runs', () => run(stage))
      await stage.step('the first node is gone', () => cluster.client.resource(Node).delete('na'))
      await stage.step('its pod is collected', async () => {
        const lost = (await cluster.client.resource(Pod).list()).items.find((pod) => nodeNameOf(pod) === 'na')
        await cluster.client.resource(Pod).in('default').delete(lost!.metadata.name!, { gracePeriodSeconds: 0 })
      })
      await stage.step('somebody deletes the set', () =>
        cluster.client.resource(DaemonSet).in('default').delete('d', { propagationPolicy: 'Foreground' }),
      )
    }))

  test('heeds taints and selectors', () =>
    play('taints', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes', () => makeNodes(cluster, 'na', 'nb'))
      await stage.step('a daemon set', () => make(cluster))
      await stage.step('its pods run', () => run(stage))
      await stage.step('na takes no new pods', () => taint(cluster, 'na', { key: 'k', effect: 'NoSchedule' }))
      await stage.step('na wants to be empty', () => taint(cluster, 'na', { key: 'k', effect: 'NoExecute' }))
      await stage.step('its pod has stopped', () => finishPodDeletions(cluster))
      await stage.step('na is not ready', () =>
        taint(cluster, 'na', { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }),
      )
      await stage.step('only nodes with a label are meant', () =>
        cluster.client
          .resource(DaemonSet)
          .in('default')
          .patch('d', 'merge', { spec: { template: { spec: { nodeSelector: { disk: 'ssd' } } } } }),
      )
      await stage.step('nb has it', () =>
        cluster.client.resource(Node).patch('nb', 'merge', { metadata: { labels: { disk: 'ssd' } } }),
      )
    }))

  test('is updated node by node', () =>
    play('rolling-update', async (stage) => {
      const { cluster } = stage
      await stage.step('three nodes and a set', async () => {
        await makeNodes(cluster, 'na', 'nb', 'nc')
        await make(cluster, { minReadySeconds: 10 })
      })
      await stage.step('its pods run', () => run(stage))
      await stage.advance('10s')
      await stage.step('another image', () => setImage(cluster, 'second'))
      await stage.step('the first new pod runs', () => run(stage))
      await stage.advance('10s')
      await stage.step('the second new pod runs', () => run(stage))
      await stage.step('back to the first image, in the middle of it', () => setImage(cluster, 'first'))
      for (const which of ['a', 'another', 'the last']) {
        await stage.step(`${which} pod runs`, () => run(stage))
        await stage.advance('10s')
      }
    }))

  test('is updated with a surge', () =>
    play('surge', async (stage) => {
      const { cluster } = stage
      const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } as const
      await stage.step('two nodes and a set', async () => {
        await makeNodes(cluster, 'na', 'nb')
        await make(cluster, { updateStrategy, revisionHistoryLimit: 0 })
      })
      await stage.step('its pods run', () => run(stage))
      await stage.advance('1s') // so that old and new pods are not of the same age
      await stage.step('another image', () => setImage(cluster, 'second'))
      await stage.step('the new pod runs', () => run(stage))
      await stage.step('the old one has stopped', () => finishPodDeletions(cluster))
      await stage.step('the other new pod runs', () => run(stage))
      await stage.step('the other old one has stopped', () => finishPodDeletions(cluster))
    }))

  test('is updated as its pods are deleted', () =>
    play('on-delete', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes and a set', async () => {
        await makeNodes(cluster, 'na', 'nb')
        await make(cluster, { updateStrategy: { type: 'OnDelete' } })
      })
      await stage.step('its pods run', () => run(stage))
      await stage.step('another image', () => setImage(cluster, 'second'))
      await stage.advance('1h')
      await stage.step('somebody deletes a pod', () =>
        cluster.client.resource(Pod).in('default').delete(stage.nameOf('d-a')),
      )
      await stage.step('it has stopped', () => run(stage))
    }))

  test('replaces pods that fail, ever more rarely', () =>
    play('failing-pods', async (stage) => {
      const { cluster } = stage
      const fail = async () => {
        await place(cluster)
        await writePodStatuses(cluster, isActive, { phase: 'Failed' })
      }
      await stage.step('a node and a set', async () => {
        await makeNodes(cluster, 'na')
        await make(cluster)
      })
      await stage.step('its pod fails', fail)
      await stage.step('it has stopped', () => finishPodDeletions(cluster))
      await stage.step('the next one fails as well', fail)
      await stage.advance('1s')
      await stage.step('it has stopped', () => finishPodDeletions(cluster))
      await stage.step('the third one fails', fail)
      await stage.advance('1s')
      await stage.advance('1s')
      await stage.step('it has stopped', () => finishPodDeletions(cluster))
      await stage.step('the fourth one succeeds, which it should not', async () => {
        await place(cluster)
        await writePodStatuses(cluster, isActive, { phase: 'Succeeded' })
      })
    }))
})
