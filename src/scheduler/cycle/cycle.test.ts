import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../base/random.js'
import type { PodInfo } from '../cache/pod-info.js'
import { decideAmong, nodeInfo, podInfo, sampleProfile } from '../scheduler.test.kit.js'
import { rejectionOfNode } from './decision.js'

const three = ['na', 'nb', 'nc'].map((name) => nodeInfo(name))

test('the emptier node scores higher', () => {
  const nodes = [nodeInfo('na', {}, [podInfo('heavy', { requests: { cpu: '3', memory: '6Gi' } })]), nodeInfo('nb')]
  const { decision } = decideAmong(podInfo('p', { requests: { cpu: '100m' } }), nodes)
  assert.equal(decision.node?.name, 'nb')
  const plugins = ['TaintToleration', 'NodeResourcesFit']
  assert.deepEqual(decision.scores?.plugins, plugins)
  assert.ok(decision.scores!.totals[1]! > decision.scores!.totals[0]!)
})

test('nodes with equal scores are chosen equally often', () => {
  const random = seededRandom(7)
  const counts: Record<string, number> = {}
  for (let i = 0; i < 3000; i++) {
    const name = decideAmong(podInfo('p'), three, { random }).decision.node!.name
    counts[name] = (counts[name] ?? 0) + 1
  }
  for (const { name } of three)
    assert.ok(Math.abs(counts[name]! - 1000) < 150, `${name} was chosen ${counts[name]} times`)
})

test('the same context gives the same decision', () => {
  const choose = () => decideAmong(podInfo('p'), three, { random: seededRandom(3) }).decision.node!.name
  assert.equal(choose(), choose())
})

test('a single feasible node is not scored', () => {
  const nodes = [nodeInfo('na', { spec: { unschedulable: true } }), nodeInfo('nb')]
  const { decision } = decideAmong(podInfo('p'), nodes)
  assert.equal(decision.node?.name, 'nb')
  assert.equal(decision.scores, undefined)
  assert.deepEqual(rejectionOfNode(decision, 'na')?.reasons, ['node(s) were unschedulable'])
})

test('a large cluster is searched in part, and the next cycle starts where this one ended', () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => nodeInfo(`n${i}`))
  const first = decideAmong(podInfo('p'), nodes)
  // 50 % less 1000/125
  assert.equal(first.decision.scores?.nodes.length, 420)
  assert.equal(first.next, 420)
  const last = decideAmong(podInfo('p'), nodes, { start: 840 })
  assert.equal(last.decision.scores?.nodes[0]?.name, 'n840')
  assert.equal(last.next, 260)
})

test('a profile can set the share of nodes to find', () => {
  const nodes = Array.from({ length: 1000 }, (_, i) => nodeInfo(`n${i}`))
  const seen = (percentageOfNodesToScore: number) =>
    decideAmong(podInfo('p'), nodes, { profile: sampleProfile({ percentageOfNodesToScore }) }).decision.scores?.nodes
      .length
  assert.equal(seen(20), 200)
  assert.equal(seen(1), 100)
  assert.equal(seen(100), 1000)
})

test('a pod does not take the room of a nominated pod of equal or higher priority', () => {
  const vip = podInfo('vip', { requests: { cpu: '3' }, spec: { priority: 100 } })
  const nominated = { onNode: (name: string) => (name === 'na' ? [vip] : []) }
  const choose = (priority: number) =>
    decideAmong(podInfo('p', { requests: { cpu: '2' }, spec: { priority } }), [nodeInfo('na')], { nominated }).decision
      .node
  assert.equal(choose(1), undefined)
  assert.equal(choose(100), undefined)
  assert.equal(choose(101)?.name, 'na')
})

test('a pod goes to its nominated node, even if another node scores higher', () => {
  const nodes = [nodeInfo('na', {}, [podInfo('heavy', { requests: { cpu: '3' } })]), nodeInfo('nb')]
  const pod = podInfo('p', { status: { nominatedNodeName: 'na' } })
  assert.equal(decideAmong(pod, nodes).decision.node?.name, 'na')
  const full = [nodeInfo('na', { spec: { unschedulable: true } }), nodeInfo('nb')]
  assert.equal(decideAmong(pod, full).decision.node?.name, 'nb')
})

test('adjustable filters see nominated pods', () => {
  const seen: string[] = []
  const adjustable = {
    filter: () => undefined,
    addPod: ({ key }: PodInfo) => seen.push(key),
    removePod: () => {},
  }
  const filter = { filter: () => undefined, adjustable: () => adjustable }
  const profile = sampleProfile({ filter: [{ name: 'Adjustable', preFilter: () => filter }] })
  const nominated = { onNode: () => [podInfo('vip', { spec: { priority: 9 } })] }
  decideAmong(podInfo('p'), [nodeInfo('na')], { profile, nominated })
  assert.deepEqual(seen, ['default/vip'])
})

test('two plugins that restrict the nodes to different sets leave none', () => {
  const only = (name: string) => ({
    name: `Only-${name}`,
    preFilter: () => ({ nodes: new Set([name]), filter: () => undefined }),
  })
  const profile = sampleProfile({ filter: [only('nb'), only('na')] })
  const { diagnosis } = decideAmong(podInfo('p'), three, { profile }).decision
  assert.deepEqual(diagnosis.preFilterRejection?.reasons, [
    "node(s) didn't satisfy plugin(s) [Only-na Only-nb] simultaneously",
  ])
  assert.deepEqual([...diagnosis.plugins].sort(), ['Only-na', 'Only-nb'])
})

test('a score out of range throws', () => {
  const plugin = { name: 'Wild', preScore: () => ({ score: () => 101 }) }
  const profile = sampleProfile({ score: [{ plugin, weight: 1 }] })
  assert.throws(() => decideAmong(podInfo('p'), three, { profile }), /plugin "Wild" returns an invalid score 101/)
})
