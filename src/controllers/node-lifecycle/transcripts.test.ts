import { describe, test } from 'node:test'
import { Node } from '../../api/core/v1/node.js'
import { finishPodDeletions } from '../../testing/controllers/pod-statuses.js'
import { checkTranscript, type Transcript } from '../../testing/controllers/transcript.js'
import { live, makeNode, makePod, say, viewOfNodes } from '../nodes/nodes.test.kit.js'

const controllers = ['node-lifecycle-controller', 'taint-eviction-controller']

function play(name: string, script: (stage: Transcript) => Promise<void>): Promise<void> {
  return checkTranscript({ of: import.meta.url, name }, { controllers, view: viewOfNodes }, script)
}

const forEver = [{ operator: 'Exists' as const }]
const unreachable = { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute' } as const

describe('a node', () => {
  test('goes silent for hours and comes back', () =>
    play('silent-node', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes', async () => {
        await makeNode(cluster, 'one')
        await makeNode(cluster, 'other')
      })
      await live(stage, 10, ['one', 'other'])
      await stage.step('pods that leave a silent node after a minute, after the usual time, and never', async () => {
        await makePod(cluster, 'short', 'one', { tolerations: [{ ...unreachable, tolerationSeconds: 60 }] })
        await makePod(cluster, 'usual', 'one')
        await makePod(cluster, 'faithful', 'one', { tolerations: forEver })
        await makePod(cluster, 'elsewhere', 'other')
      })
      await live(stage, 40, ['other'], 5)
      for (let i = 0; i < 5; i++) await live(stage, 5, ['other'], 5)
      await live(stage, 50, ['other'])
      await live(stage, 10, ['other'])
      await live(stage, 240, ['other'])
      await live(stage, 2 * 3600, ['other'], 40)
      await stage.step('the node is heard of again', () => say(cluster, 'one', 'Ready', 'True'))
      await live(stage, 5, ['one', 'other'], 5)
      await stage.step('what was to go has gone', () => finishPodDeletions(cluster))
      await live(stage, 60, ['one', 'other'])
    }))

  test('that never speaks is given a minute', () =>
    play('mute-node', async (stage) => {
      await stage.step('a node that says nothing, and one that does', async () => {
        await makeNode(stage.cluster, 'mute', { isMute: true })
        await makeNode(stage.cluster, 'well')
      })
      await live(stage, 60, ['well'])
      await live(stage, 5, ['well'], 5)
      await live(stage, 5, ['well'], 5)
    }))

  test('that renews its lease is alive, though it never says more', () =>
    play('lease-only', async (stage) => {
      await stage.step('a node that says nothing', () => makeNode(stage.cluster, 'mute', { isMute: true }))
      await live(stage, 3600, ['mute'], 40)
      await live(stage, 70, [])
    }))

  test('keeps pods away by what it says of itself', () =>
    play('conditions', async (stage) => {
      const { cluster } = stage
      const nodes = cluster.client.resource(Node)
      await stage.step('a node', () => makeNode(cluster, 'one', { labels: { 'kubernetes.io/os': 'linux' } }))
      for (const type of ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'] as const)
        await stage.step(`${type} is true`, () => say(cluster, 'one', type, 'True'))
      await stage.step('it is cordoned', () => nodes.patch('one', 'merge', { spec: { unschedulable: true } }))
      for (const type of ['MemoryPressure', 'DiskPressure', 'PIDPressure', 'NetworkUnavailable'] as const)
        await stage.step(`${type} is false`, () => say(cluster, 'one', type, 'False'))
      await stage.step('and uncordoned', () => nodes.patch('one', 'merge', { spec: { unschedulable: null } }))
      await stage.step('it goes', () => nodes.delete('one'))
      await stage.advance('5s')
    }))

  test('that is not ready, then silent, changes its taint at once', () =>
    play('not-ready-then-silent', async (stage) => {
      const { cluster } = stage
      await stage.step('two nodes and a pod', async () => {
        await makeNode(cluster, 'one')
        await makeNode(cluster, 'other')
        await makePod(cluster, 'web', 'one')
      })
      await live(stage, 10, ['one', 'other'])
      await stage.step('one is not ready', () => say(cluster, 'one', 'Ready', 'False'))
      await live(stage, 10, ['one', 'other'])
      await live(stage, 60, ['other'])
      await stage.step('it is ready again', () => say(cluster, 'one', 'Ready', 'True'))
      await live(stage, 10, ['one', 'other'])
    }))
})

describe('of zones', () => {
  const names = (zone: string, count: number) => Array.from({ length: count }, (_, i) => `${zone}${i + 1}`)

  async function makeZones(stage: Transcript, sizes: Readonly<Record<string, number>>): Promise<void> {
    await stage.step(
      `zones ${Object.entries(sizes)
        .map(([zone, size]) => `${zone} of ${size}`)
        .join(', ')}`,
      async () => {
        for (const [zone, size] of Object.entries(sizes))
          for (const name of names(zone, size)) await makeNode(stage.cluster, name, { zone })
      },
    )
  }

  test('one that is lost altogether is given up node by node', () =>
    play('lost-zone', async (stage) => {
      await makeZones(stage, { a: 3, b: 1 })
      await live(stage, 10, [...names('a', 3), ...names('b', 1)])
      await live(stage, 55, names('b', 1), 5)
      for (let i = 0; i < 5; i++) await live(stage, 5, names('b', 1), 5)
    }))

  test('none is given up while no node is ready', () =>
    play('all-lost', async (stage) => {
      await makeZones(stage, { a: 2, b: 1 })
      await makePod(stage.cluster, 'web', 'a1', { tolerations: [] })
      await live(stage, 10, [...names('a', 2), ...names('b', 1)])
      await live(stage, 70, [])
      await live(stage, 3600, [], 3600)
      await stage.step('one is ready again', () => say(stage.cluster, 'b1', 'Ready', 'True'))
      await live(stage, 10, ['b1'], 5)
      await live(stage, 60, ['b1'])
    }))

  test('a small one that is lost in part is not given up, a zone that is well is', () =>
    play('partly-lost-zone', async (stage) => {
      await makeZones(stage, { a: 5, b: 3 })
      await live(stage, 10, [...names('a', 5), ...names('b', 3)])
      const alive = [...names('a', 2), ...names('b', 2)]
      await live(stage, 70, alive, 5)
      await live(stage, 3600, alive, 40)
      await stage.step('two of the first zone are ready again', async () => {
        for (const name of ['a3', 'a4']) await say(stage.cluster, name, 'Ready', 'True')
      })
      await live(stage, 30, [...alive, 'a3', 'a4'], 5)
    }))
})
