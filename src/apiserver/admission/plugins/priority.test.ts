import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Pod } from '../../../api/core/v1/pod.js'
import { openPluginHarness, pod, rejectionOf } from '../admission.test.kit.js'
import { defaultTolerationSeconds } from './default-toleration-seconds.js'
import { priority } from './priority.js'

function priorityClass(name: string, value: number, rest: object = {}): object {
  return { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value, ...rest }
}

test('a pod has the priority of its class, or of the default class, or none', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(priority)
  const specOf = async (spec: object) =>
    ((await harness.admit(plugin, { object: pod('a', spec) })).object as unknown as Pod).spec
  assert.equal((await specOf({})).priority, 0)
  await harness.store(
    priorityClass('high', 7),
    priorityClass('usual', 3, { globalDefault: true, preemptionPolicy: 'Never' }),
  )
  assert.equal((await specOf({ priorityClassName: 'high' })).priority, 7)
  const usual = await specOf({})
  assert.deepEqual([usual.priorityClassName, usual.priority, usual.preemptionPolicy], ['usual', 3, 'Never'])
})

test('nobody invents a priority, and there is one default only', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(priority)
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: pod('a', { priority: 5 }) })),
    /the integer value of priority \(5\) must not be provided in pod spec; priority admission controller computed 0/,
  )
  assert.match(
    await rejectionOf(harness.admit(plugin, { object: pod('a', { priorityClassName: 'none' }) })),
    /no PriorityClass with name none was found/,
  )
  await harness.store(priorityClass('first', 1, { globalDefault: true }))
  const second = { object: priorityClass('second', 2, { globalDefault: true }) }
  assert.match(await rejectionOf(harness.admit(plugin, second)), /PriorityClass first is already marked as default/)
  await harness.admit(plugin, {
    object: priorityClass('first', 1, { globalDefault: true }),
    old: priorityClass('first', 1),
  })
})

test('an update keeps the priority that it does not mention', async () => {
  const harness = await openPluginHarness()
  const old = pod('a', { priority: 4, preemptionPolicy: 'Never' })
  const { object } = await harness.admit(harness.create(priority), { object: pod('a'), old })
  const { spec } = object as unknown as Pod
  assert.deepEqual([spec.priority, spec.preemptionPolicy], [4, 'Never'])
})

test('a pod tolerates lost nodes for a while, unless it says otherwise', async () => {
  const harness = await openPluginHarness()
  const plugin = harness.create(defaultTolerationSeconds, { unreachableTolerationSeconds: 200 })
  const tolerations = async (given: object[]) =>
    ((await harness.admit(plugin, { object: pod('a', { tolerations: given }) })).object as unknown as Pod).spec
      .tolerations
  const added = await tolerations([])
  assert.deepEqual(
    added?.map(({ key, tolerationSeconds }) => [key, tolerationSeconds]),
    [
      ['node.kubernetes.io/not-ready', 300],
      ['node.kubernetes.io/unreachable', 200],
    ],
  )
  assert.deepEqual(await tolerations([{ operator: 'Exists' }]), [{ operator: 'Exists' }])
})
