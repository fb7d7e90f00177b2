import { describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Taint, Toleration } from '../../api/core/v1/taint.js'
import { formatTime } from '../../schema/values/time.js'
import type { TestCluster } from '../../testing/cluster.js'
import { finishPodDeletions } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { makeNode, makePod, viewOfNodes } from '../nodes/nodes.test.kit.js'

const controllers = ['taint-eviction-controller']

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, { controllers, view: viewOfNodes }, script)
}

async function taint({ client, environment }: TestCluster, ...keys: readonly string[]): Promise<void> {
  const timeAdded = formatTime(environment.clock.now())
  const taints = keys.map((key): Taint => ({ key, effect: 'NoExecute', timeAdded }))
  await client.resource(Node).patch('one', 'merge', { spec: { taints: taints.length > 0 ? taints : null } })
}

function tolerating(key: string, tolerationSeconds?: number): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', ...(tolerationSeconds !== undefined && { tolerationSeconds }) }
}

async function begin({ cluster }: Transcript, pods: Readonly<Record<string, readonly Toleration[]>>): Promise<void> {
  await makeNode(cluster, 'one')
  await taint(cluster)
  for (const [name, tolerations] of Object.entries(pods)) await makePod(cluster, name, 'one', { tolerations })
}

describe('a taint', () => {
  test('drives pods away, at once or when they no longer tolerate it', () =>
    play('toleration-seconds', async (stage) => {
      const { cluster } = stage
      await stage.step('pods that tolerate it not at all, for a while, and for ever', () =>
        begin(stage, {
          not: [],
          'other-key': [tolerating('other')],
          zero: [tolerating('k', 0)],
          'ten-seconds': [tolerating('k', 10)],
          'an-hour': [tolerating('k', 3600)],
          'for-ever': [tolerating('k')],
        }),
      )
      await stage.step('the taint comes', () => taint(cluster, 'k'))
      await stage.advance('9s')
      await stage.advance('1s')
      await stage.step('what was to go has gone', () => finishPodDeletions(cluster))
      await stage.advance('1h')
    }))

  test('that goes in time lets pods stay', () =>
    play('cancelled', async (stage) => {
      const { cluster } = stage
      await stage.step('a pod that tolerates it for a minute', () => begin(stage, { web: [tolerating('k', 60)] }))
      await stage.step('the taint comes', () => taint(cluster, 'k'))
      await stage.advance('59s')
      await stage.step('and goes', () => taint(cluster))
      await stage.advance('1h')
      await stage.step('it comes again', () => taint(cluster, 'k'))
      await stage.advance('30s')
      await stage.step('a further toleration comes too late: the first one counts', () =>
        cluster.client
          .resource(Pod)
          .in('default')
          .patch('web', 'json', [{ op: 'add', path: '/spec/tolerations/-', value: { operator: 'Exists' } }]),
      )
      await stage.advance('30s')
    }))

  test('counts from when it was added, whoever was there to see it', () =>
    play('restart', async (stage) => {
      const { cluster } = stage
      await stage.step('a pod that tolerates it for a minute', () => begin(stage, { web: [tolerating('k', 60)] }))
      await stage.step('the taint comes', () => taint(cluster, 'k'))
      await stage.advance('40s')
      await stage.step('the loops are started anew', () => cluster.restartControllers())
      await stage.step('another pod comes', () =>
        makePod(cluster, 'late', 'one', { tolerations: [tolerating('k', 60)] }),
      )
      await stage.advance('19s')
      await stage.advance('1s')
      await stage.advance('40s')
    }))

  test('does not drive pods away from elsewhere, nor those that go already', () =>
    play('others', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes', async () => {
        await begin(stage, { web: [tolerating('k', 60)], going: [] })
        await makeNode(cluster, 'other')
        await makePod(cluster, 'elsewhere', 'other', { tolerations: [] })
        await cluster.client.resource(Pod).in('default').delete('going')
      })
      await stage.step('the taint comes', () => taint(cluster, 'k'))
      await stage.step('a second one that nobody tolerates', () => taint(cluster, 'k', 'm'))
    }))
})
