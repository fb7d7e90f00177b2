import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Pod } from '../../../api/core/v1/pod.js'
import { PodDisruptionBudget } from '../../../api/policy/v1/pod-disruption-budget.js'
import { PriorityClass } from '../../../api/scheduling/v1/priority-class.js'
import { SchedulerHarness } from '../../harness.test.kit.js'
import type { PodParts } from '../../scheduler.test.kit.js'

/** One node of two processors, and three priorities. */
async function begin(): Promise<SchedulerHarness> {
  const harness = await SchedulerHarness.create()
  await harness.addNode('na', { allocatable: { cpu: '2' } })
  for (const [name, value] of Object.entries({ low: 10, middle: 100, high: 1000 }))
    await harness.client.resource(PriorityClass).create({ metadata: { name }, value })
  await harness.startScheduler()
  return harness
}

const wants = (cpu: string, priorityClassName: string): PodParts => ({ requests: { cpu }, spec: { priorityClassName } })

async function add(harness: SchedulerHarness, name: string, parts: PodParts): Promise<void> {
  await harness.addPod(name, parts)
  await harness.settle()
}

/** As a kubelet does when a pod has ended. */
async function remove(harness: SchedulerHarness, name: string): Promise<void> {
  await harness.client.resource(Pod).in('default').delete(name, { gracePeriodSeconds: 0 })
  await harness.clock.advance('11s')
}

async function states(harness: SchedulerHarness): Promise<Readonly<Record<string, string>>> {
  const entries = (await harness.pods()).map(({ metadata, spec, status }) => {
    const where = spec.nodeName
      ? `on ${spec.nodeName}`
      : status.nominatedNodeName
        ? `for ${status.nominatedNodeName}`
        : 'waits'
    return [metadata.name!, metadata.deletionTimestamp ? `${where}, leaves` : where] as const
  })
  return Object.fromEntries(entries)
}

describe('the room of a nominated pod', () => {
  test('is not taken by a pod of lower priority, however small', async () => {
    await using harness = await begin()
    await add(harness, 'victim', wants('1500m', 'low'))
    await add(harness, 'vip', wants('2', 'high'))
    await add(harness, 'sneak', wants('100m', 'middle'))
    assert.deepEqual(await states(harness), { sneak: 'waits', victim: 'on na, leaves', vip: 'for na' })
    await remove(harness, 'victim')
    assert.deepEqual(await states(harness), { sneak: 'waits', vip: 'on na' })
  })

  test('is shared with a pod of lower priority as far as both fit', async () => {
    await using harness = await begin()
    await add(harness, 'victim', wants('1500m', 'low'))
    await add(harness, 'vip', wants('1', 'high'))
    await add(harness, 'beside', wants('500m', 'middle'))
    assert.deepEqual(await states(harness), { beside: 'for na', victim: 'on na, leaves', vip: 'for na' })
    await remove(harness, 'victim')
    assert.deepEqual(await states(harness), { beside: 'on na', vip: 'on na' })
  })

  test('goes to a pod of higher priority', async () => {
    await using harness = await begin()
    await add(harness, 'victim', wants('2', 'low'))
    await add(harness, 'first', wants('2', 'middle'))
    assert.deepEqual(await states(harness), { first: 'for na', victim: 'on na, leaves' })
    await add(harness, 'second', wants('2', 'high'))
    assert.deepEqual(await states(harness), { first: 'waits', second: 'for na', victim: 'on na, leaves' })
    await remove(harness, 'victim')
    assert.deepEqual(await states(harness), { first: 'waits', second: 'on na' })
  })

  test('is not made twice while the victims terminate', async () => {
    await using harness = await begin()
    await add(harness, 'victim', wants('1', 'low'))
    await add(harness, 'other', wants('1', 'low'))
    await add(harness, 'vip', wants('1', 'high'))
    await harness.clock.advance('60s')
    const leaving = Object.values(await states(harness)).filter((state) => state.endsWith('leaves'))
    assert.equal(leaving.length, 1)
  })
})

test('a pod that a budget protects stays if another victim is enough', async () => {
  await using harness = await begin()
  const labels = { app: 'db' }
  await add(harness, 'protected', { ...wants('1', 'low'), metadata: { labels } })
  await add(harness, 'other', wants('1', 'middle'))
  const spec = { minAvailable: 1, selector: { matchLabels: labels } }
  await harness.client.resource(PodDisruptionBudget).create({ metadata: { name: 'db', namespace: 'default' }, spec })
  await harness.settle()
  await add(harness, 'vip', wants('1', 'high'))
  assert.deepEqual(await states(harness), { other: 'on na, leaves', protected: 'on na', vip: 'for na' })
})

test('many pods of high priority preempt concurrently', async () => {
  await using harness = await begin()
  for (const name of ['nb', 'nc', 'nd']) await harness.addNode(name, { allocatable: { cpu: '2' } })
  await harness.settle()
  for (let i = 0; i < 8; i++) await add(harness, `low-${i}`, wants('1', 'low'))
  for (let i = 0; i < 8; i++) await harness.addPod(`vip-${i}`, wants('1', 'high'))
  await harness.clock.advance('20s')
  const leaving = (await harness.pods()).filter(({ metadata }) => metadata.deletionTimestamp)
  assert.equal(leaving.length, 8)
  for (const { metadata } of leaving) await remove(harness, metadata.name!)
  const placed = Object.values(await states(harness)).filter((state) => state.startsWith('on '))
  assert.equal(placed.length, 8)
})
