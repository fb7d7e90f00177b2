import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import { noNominatedPods } from '../framework/nominated-pods.js'
import { nodeInfo, type PodParts, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { decideWithExtenders } from './extended-cycle.js'
import type { Extender } from './extender.js'

const nodes = ['na', 'nb', 'nc'].map((name) => nodeInfo(name))

function extender(parts: Partial<Extender>): Extender {
  return { name: 'outside', isIgnorable: false, isInterested: () => true, ...parts }
}

/** Takes only these nodes. */
function only(...names: string[]): Partial<Extender> {
  return {
    filter: async (_, all) => {
      const rejectedNodes = all.filter(({ name }) => !names.includes(name))
      const rejections = rejectedNodes.map(() => ({ plugin: 'Extender', reasons: ['not wanted'], isResolvable: true }))
      return { nodes: all.filter(({ name }) => names.includes(name)), rejectedNodes, rejections }
    },
  }
}

function preferring(name: string): Partial<Extender> {
  return {
    prioritize: async (_, all: readonly NodeInfo[]) => Float64Array.from(all, (node) => (node.name === name ? 50 : 0)),
  }
}

const failing: Partial<Extender> = {
  filter: () => Promise.reject(new Error('out of reach')),
  prioritize: () => Promise.reject(new Error('out of reach')),
}

async function decided(extenders: readonly Extender[], parts: PodParts = {}) {
  const circumstances = {
    ...{ profile: sampleProfile(), snapshot: new ClusterSnapshot(nodes), nominated: noNominatedPods },
    ...{ start: 0, random: seededRandom(1) },
  }
  return (await decideWithExtenders(podInfo('p', parts), circumstances, { extenders, log: silentLogger })).decision
}

test('each sees only the nodes that those before would take', async () => {
  const { node, diagnosis } = await decided([extender(only('na', 'nb')), extender(only('nb', 'nc'))])
  assert.equal(node?.name, 'nb')
  assert.deepEqual(
    diagnosis.rejectedNodes.map(({ name }) => name),
    ['nc', 'na'],
  )
  assert.ok(diagnosis.plugins.has('Extender'))
})

test('what they prefer is added to the scores', async () => {
  const { node, scores } = await decided([extender(preferring('nc'))])
  assert.equal(node?.name, 'nc')
  assert.equal(scores?.plugins.at(-1), 'outside')
  assert.deepEqual([...scores.weighted.slice(-3)], [0, 0, 50])
})

test('one that cannot be asked makes the attempt fail, unless it may be left out', async () => {
  await assert.rejects(decided([extender(failing)]), /out of reach/)
  assert.ok((await decided([extender({ ...failing, isIgnorable: true })])).node)
})

test('one that has no say in the pod is not asked', async () => {
  assert.ok((await decided([extender({ ...failing, isInterested: () => false })])).node)
})

test('if the node where room was made is not wanted, the others are looked at', async () => {
  const parts = { status: { nominatedNodeName: 'na' } }
  assert.equal((await decided([], parts)).node?.name, 'na')
  assert.equal((await decided([extender(only('nc'))], parts)).node?.name, 'nc')
})
