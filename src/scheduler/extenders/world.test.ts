import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Binding } from '../../api/core/v1/binding.js'
import { Pod } from '../../api/core/v1/pod.js'
import { World } from '../world.test.kit.js'
import type { Extender } from './extender.js'

const extender = (parts: Partial<Extender>): Extender => ({
  name: 'http://extender',
  isIgnorable: false,
  isInterested: () => true,
  ...parts,
})

describe('an extender', () => {
  test('refuses nodes, and is told of among the reasons', async () => {
    await using world = await World.begin()
    await world.addNode('na')
    await world.addNode('nb', { allocatable: { cpu: '1' } })
    const filter: Extender['filter'] = async (_, nodes) => ({
      nodes: [],
      rejectedNodes: nodes,
      rejections: nodes.map(() => ({ plugin: 'http://extender', reasons: ['too loud'], isResolvable: false })),
    })
    await world.start({ extenders: [extender({ filter })] })
    await world.addPod('p', { requests: { cpu: '2' } })
    await world.rest()
    assert.deepEqual(await world.placements(), ['p: 0/2 nodes are available: 1 Insufficient cpu, 1 too loud.'])
  })

  test('that must be asked and cannot keeps a pod waiting, until it can', async () => {
    await using world = await World.begin()
    await world.addNode('na')
    let isDown = true
    const filter: Extender['filter'] = async (_, nodes) => {
      if (isDown) throw new Error('the extender is down')
      return { nodes, rejectedNodes: [], rejections: [] }
    }
    await world.start({ extenders: [extender({ filter })] })
    await world.addPod('p')
    await world.rest()
    assert.deepEqual(await world.placements(), ['p: the extender is down'])
    isDown = false
    await world.clock.advance('11s')
    assert.deepEqual(await world.placements(), ['p on na'])
  })

  test('that need not be asked and cannot is done without', async () => {
    await using world = await World.begin()
    await world.addNode('na')
    const down = () => Promise.reject(new Error('down'))
    await world.start({ extenders: [extender({ isIgnorable: true, filter: down, prioritize: down })] })
    await world.addPod('p')
    await world.rest()
    assert.deepEqual(await world.placements(), ['p on na'])
  })

  test('decides among nodes that are equally good', async () => {
    await using world = await World.begin()
    for (const name of ['na', 'nb', 'nc']) await world.addNode(name)
    const prioritize: Extender['prioritize'] = async (_, nodes) =>
      Float64Array.from(nodes, ({ name }) => (name === 'nb' ? 100 : 0))
    await world.start({ extenders: [extender({ prioritize })] })
    await world.addPod('p')
    await world.rest()
    assert.deepEqual(await world.placements(), ['p on nb'])
  })

  test('binds pods in place of the scheduler, and only those that are its business', async () => {
    await using world = await World.begin()
    await world.addNode('na')
    const bound: string[] = []
    const bind: Extender['bind'] = async ({ metadata }, nodeName) => {
      bound.push(metadata.name!)
      const bindings = world.client.resource(Pod).in('default').subresource('binding', Binding)
      await bindings.create({ metadata: { name: metadata.name! }, target: { kind: 'Node', name: nodeName } })
    }
    const isInterested: Extender['isInterested'] = ({ metadata }) => metadata.name === 'mine'
    await world.start({ extenders: [extender({ bind, isInterested })] })
    await world.addPod('mine')
    await world.addPod('other')
    await world.rest()
    assert.deepEqual(await world.placements(), ['mine on na', 'other on na'])
    assert.deepEqual(bound, ['mine'])
  })
})
