import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pod } from '../../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { PriorityClass } from '../../../api/scheduling/v1/priority-class.js'
import type { PodParts } from '../../scheduler.test.kit.js'
import { World } from '../../world.test.kit.js'

/** One node of two processors, and three priorities. */
async function begin(): Promise<World> {
  const world = await World.begin()
  await world.addNode('na', { allocatable: { cpu: '2' } })
  for (const [name, value] of Object.entries({ low: 10, middle: 100, high: 1000 }))
    await world.client.resource(PriorityClass).create({ metadata: { name }, value })
  await world.start()
  return world
}

const wants = (cpu: string, priorityClassName: string): PodParts => ({ requests: { cpu }, spec: { priorityClassName } })

async function add(world: World, name: string, parts: PodParts): Promise<void> {
  await world.addPod(name, parts)
  await world.rest()
}

/** As a kubelet does when a pod has ended. */
async function remove(world: World, name: string): Promise<void> {
  await world.client.resource(Pod).in('default').delete(name, { gracePeriodSeconds: 0 })
  await world.clock.advance('11s')
}

async function states(world: World): Promise<Readonly<Record<string, string>>> {
  const entries = (await world.pods()).map(({ metadata, spec, status }) => {
    const where = spec.nodeName
      ? `on ${spec.nodeName}`
      : status.nominatedNodeName
        ? `for ${status.nominatedNodeName}`
        : 'waits'
    return [metadata.name!, metadata.deletionTimestamp ? `${where}, leaves` : where] as const
  })
  return Object.fromEntries(entries)
}

describe('room that was made', () => {
  test('is not taken by a pod that matters less, however small', async () => {
    await using world = await begin()
    await add(world, 'victim', wants('1500m', 'low'))
    await add(world, 'vip', wants('2', 'high'))
    await add(world, 'sneak', wants('100m', 'middle'))
    assert.deepEqual(await states(world), { sneak: 'waits', victim: 'on na, leaves', vip: 'for na' })
    await remove(world, 'victim')
    assert.deepEqual(await states(world), { sneak: 'waits', vip: 'on na' })
  })

  test('is shared with a pod that matters less, as far as it goes', async () => {
    await using world = await begin()
    await add(world, 'victim', wants('1500m', 'low'))
    await add(world, 'vip', wants('1', 'high'))
    await add(world, 'beside', wants('500m', 'middle'))
    assert.deepEqual(await states(world), { beside: 'for na', victim: 'on na, leaves', vip: 'for na' })
    await remove(world, 'victim')
    assert.deepEqual(await states(world), { beside: 'on na', vip: 'on na' })
  })

  test('is given up to a pod that matters more', async () => {
    await using world = await begin()
    await add(world, 'victim', wants('2', 'low'))
    await add(world, 'first', wants('2', 'middle'))
    assert.deepEqual(await states(world), { first: 'for na', victim: 'on na, leaves' })
    await add(world, 'second', wants('2', 'high'))
    assert.deepEqual(await states(world), { first: 'waits', second: 'for na', victim: 'on na, leaves' })
    await remove(world, 'victim')
    assert.deepEqual(await states(world), { first: 'waits', second: 'on na' })
  })

  test('is not made twice while the victims leave', async () => {
    await using world = await begin()
    await add(world, 'victim', wants('1', 'low'))
    await add(world, 'other', wants('1', 'low'))
    await add(world, 'vip', wants('1', 'high'))
    await world.clock.advance('60s')
    const leaving = Object.values(await states(world)).filter((state) => state.endsWith('leaves'))
    assert.equal(leaving.length, 1)
  })
})

test('a pod that is protected stays where another will do', async () => {
  await using world = await begin()
  const labels = { app: 'db' }
  await add(world, 'protected', { ...wants('1', 'low'), metadata: { labels } })
  await add(world, 'other', wants('1', 'middle'))
  const spec = { minAvailable: 1, selector: { matchLabels: labels } }
  await world.client.resource(PodDisruptionBudget).create({ metadata: { name: 'db', namespace: 'default' }, spec })
  await world.rest()
  await add(world, 'vip', wants('1', 'high'))
  assert.deepEqual(await states(world), { other: 'on na, leaves', protected: 'on na', vip: 'for na' })
})

test('many that matter make room for all of them', async () => {
  await using world = await begin()
  for (const name of ['nb', 'nc', 'nd']) await world.addNode(name, { allocatable: { cpu: '2' } })
  await world.rest()
  for (let i = 0; i < 8; i++) await add(world, `low-${i}`, wants('1', 'low'))
  for (let i = 0; i < 8; i++) await world.addPod(`vip-${i}`, wants('1', 'high'))
  await world.clock.advance('20s')
  const leaving = (await world.pods()).filter(({ metadata }) => metadata.deletionTimestamp)
  assert.equal(leaving.length, 8)
  for (const { metadata } of leaving) await remove(world, metadata.name!)
  const placed = Object.values(await states(world)).filter((state) => state.startsWith('on '))
  assert.equal(placed.length, 8)
})
