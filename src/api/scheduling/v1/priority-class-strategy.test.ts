import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const priorityClasses = new KindHarness('scheduling/v1.PriorityClass')
function problemsOf(name: string, given: object): readonly string[] {
  return priorityClasses.create({ metadata: { name }, ...given }).errors
}

describe('priority classes', () => {
  it('preempt what is worth less, by default', () => {
    assert.equal(priorityClasses.create({ value: 1 }).object.preemptionPolicy, 'PreemptLowerPriority')
  })

  it('are worth a thousand million at most', () => {
    assert.deepEqual(problemsOf('high', { value: 1_000_000_000 }), [])
    assert.deepEqual(problemsOf('higher', { value: 1_000_000_001 }), [
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ])
  })

  it('leave the names of the system to the system', () => {
    const words =
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: "
    assert.deepEqual(problemsOf('system-mine', {}), [`${words}system-mine is not a known system priority class`])
    assert.deepEqual(problemsOf('system-node-critical', { value: 5 }), [
      `${words}value of system-node-critical PriorityClass must be 2000001000`,
    ])
    assert.deepEqual(problemsOf('system-cluster-critical', { value: 2_000_000_000, globalDefault: true }), [
      `${words}globalDefault of system-cluster-critical PriorityClass must be false`,
    ])
    assert.deepEqual(problemsOf('system-node-critical', { value: 2_000_001_000 }), [])
  })

  it('know two ways to preempt', () => {
    assert.deepEqual(problemsOf('odd', { preemptionPolicy: 'Sometimes' }), [
      'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
    ])
  })

  it('are worth the same for ever, at generation one', () => {
    const old = priorityClasses.create({ value: 5 })
    const described = priorityClasses.update(old, { description: 'new' })
    assert.deepEqual(described.errors, [])
    assert.equal((described.object.metadata as { generation: number }).generation, 1)
    assert.deepEqual(priorityClasses.update(old, { value: 6, preemptionPolicy: 'Never' }).errors, [
      'value: Forbidden: may not be changed in an update.',
      'preemptionPolicy: Invalid value: "Never": field is immutable',
    ])
  })

  it('show what they are worth', () => {
    const row = priorityClasses.row(priorityClasses.create({ value: 5 }))
    assert.deepEqual([row.Value, row['Global-Default'], row.PreemptionPolicy], [5, false, 'PreemptLowerPriority'])
  })
})
