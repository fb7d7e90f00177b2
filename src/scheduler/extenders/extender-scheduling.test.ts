import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Binding } from '../../api/core/v1/binding.js'
import { Pod } from '../../api/core/v1/pod.js'
import { SchedulerHarness } from '../harness.test.kit.js'
import type { Extender } from './extender.js'

const extender = (parts: Partial<Extender>): Extender => ({
  name: 'http://extender',
  isIgnorable: false,
  isInterested: () => true,
  ...parts,
})

describe('an extender', () => {
  test('rejects nodes, and its reasons appear in the message', async () => {
    await using harness = await SchedulerHarness.create()
    await harness.addNode('na')
    await harness.addNode('nb', { allocatable: { cpu: '1' } })
    const filter: Extender['filter'] = async (_, nodes) => ({
      nodes: [],
      rejectedNodes: nodes,
      rejections: nodes.map(() => ({ plugin: 'http://extender', reasons: ['too loud'], isResolvable: false })),
    })
    await harness.startScheduler({ extenders: [extender({ filter })] })
    await harness.addPod('p', { requests: { cpu: '2' } })
    await harness.settle()
    assert.deepEqual(await harness.placements(), ['p: 0/2 nodes are available: 1 Insufficient cpu, 1 too loud.'])
  })

  test('that fails and is not ignorable keeps the pod waiting until it works again', async () => {
    await using harness = await SchedulerHarness.create()
    await harness.addNode('na')
    let isDown = true
    const filter: Extender['filter'] = async (_, nodes) => {
      if (isDown) throw new Error('the extender is down')
      return { nodes, rejectedNodes: [], rejections: [] }
    }
    await harness.startScheduler({ extenders: [extender({ filter })] })
    await harness.addPod('p')
    await harness.settle()
    assert.deepEqual(await harness.placements(), ['p: the extender is down'])
    isDown = false
    await harness.clock.advance('11s')
    assert.deepEqual(await harness.placements(), ['p on na'])
  })

  test('that fails and is ignorable is skipped', async () => {
    await using harness = await SchedulerHarness.create()
    await harness.addNode('na')
    const down = () => Promise.reject(new Error('down'))
    await harness.startScheduler({ extenders: [extender({ isIgnorable: true, filter: down, prioritize: down })] })
    await harness.addPod('p')
    await harness.settle()
    assert.deepEqual(await harness.placements(), ['p on na'])
  })

  test('decides among nodes with equal scores', async () => {
    await using harness = await SchedulerHarness.create()
    for (const name of ['na', 'nb', 'nc']) await harness.addNode(name)
    const prioritize: Extender['prioritize'] = async (_, nodes) =>
      Float64Array.from(nodes, ({ name }) => (name === 'nb' ? 100 : 0))
    await harness.startScheduler({ extenders: [extender({ prioritize })] })
    await harness.addPod('p')
    await harness.settle()
    assert.deepEqual(await harness.placements(), ['p on nb'])
  })

  test('binds the pods that it is interested in, in place of the scheduler', async () => {
    await using harness = await SchedulerHarness.create()
    await harness.addNode('na')
    const bound: string[] = []
    const bind: Extender['bind'] = async ({ metadata }, nodeName) => {
      bound.push(metadata.name!)
      const bindings = harness.client.resource(Pod).in('default').subresource('binding', Binding)
      await bindings.create({ metadata: { name: metadata.name! }, target: { kind: 'Node', name: nodeName } })
    }
    const isInterested: Extender['isInterested'] = ({ metadata }) => metadata.name === 'mine'
    await harness.startScheduler({ extenders: [extender({ bind, isInterested })] })
    await harness.addPod('mine')
    await harness.addPod('other')
    await harness.settle()
    assert.deepEqual(await harness.placements(), ['mine on na', 'other on na'])
    assert.deepEqual(bound, ['mine'])
  })
})
