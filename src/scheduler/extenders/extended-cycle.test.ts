import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLogger } from '../../base/logging.js'
import { seededRandom } from '../../base/random.js'
import type { NodeInfo } from '../cache/node-info.js'
import { ClusterSnapshot } from '../cache/snapshot.js'
import { noNominatedPods } from '../framework/plugin.js'
import { nodeInfo, type PodParts, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { decideWithExtenders } from './extended-cycle.js'
import type { Extender } from './extender.js'

const nodes = ['na', 'nb', 'nc'].map((name) => nodeInfo(name))

function extender(parts: Partial<Extender>): Extender {
  return { name: 'extender', isIgnorable: false, isInterested: () => true, ...parts }
}

/** Rejects all other nodes. */
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
  filter: () => Promise.reject(new Error('unreachable')),
  prioritize: () => Promise.reject(new Error('unreachable')),
}

async function decideWith(extenders: readonly Extender[], parts: PodParts = {}) {
  const context = {
    ...{ profile: sampleProfile(), snapshot: new ClusterSnapshot(nodes), nominated: noNominatedPods },
    ...{ start: 0, random: seededRandom(1) },
  }
  return (await decideWithExtenders(podInfo('p', parts), context, { extenders, log: silentLogger })).decision
}

test('an extender gets only the nodes that passed the extenders before it', async () => {
  const { node, diagnosis } = await decideWith([extender(only('na', 'nb')), extender(only('nb', 'nc'))])
  assert.equal(node?.name, 'nb')
  assert.deepEqual(
    diagnosis.rejectedNodes.map(({ name }) => name),
    ['nc', 'na'],
  )
  assert.ok(diagnosis.plugins.has('Extender'))
})

test('the scores of an extender are added to the totals', async () => {
  const { node, scores } = await decideWith([extender(preferring('nc'))])
  assert.equal(node?.name, 'nc')
  assert.equal(scores?.plugins.at(-1), 'extender')
  assert.deepEqual([...scores.weighted.slice(-3)], [0, 0, 50])
})

test('a failing extender fails the attempt unless it is ignorable', async () => {
  await assert.rejects(decideWith([extender(failing)]), /unreachable/)
  assert.ok((await decideWith([extender({ ...failing, isIgnorable: true })])).node)
})

test('an extender that is not interested in the pod is not called', async () => {
  assert.ok((await decideWith([extender({ ...failing, isInterested: () => false })])).node)
})

test('if an extender rejects the nominated node, all nodes are filtered', async () => {
  const parts = { status: { nominatedNodeName: 'na' } }
  assert.equal((await decideWith([], parts)).node?.name, 'na')
  assert.equal((await decideWith([extender(only('nc'))], parts)).node?.name, 'nc')
})
