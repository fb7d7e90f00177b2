import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { created, patched, shown } from '../../../testing/written-object.js'

describe('leases', () => {
  it('last a while, and change hands a number of times', () => {
    assert.deepEqual(
      created('coordination/v1.Lease', { spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }).problems,
      [
        'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
        'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
      ],
    )
    assert.deepEqual(created('coordination/v1.Lease', {}).problems, [])
  })

  it('forget how their holder would be chosen, as nobody here chooses', () => {
    const spec = { holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b' }
    const lease = created('coordination/v1.Lease', { spec })
    assert.deepEqual(lease.object.spec, { holderIdentity: 'a' })
    assert.deepEqual(patched(lease, { spec }).object.spec, { holderIdentity: 'a' })
  })

  it('keep it where it was', () => {
    const lease = created('coordination/v1.Lease', { spec: { holderIdentity: 'a' } })
    const before = { ...lease, object: { ...lease.object, spec: { strategy: 'OldestEmulationVersion' } } }
    assert.deepEqual(patched(before, { spec: { strategy: 'example.com/x' } }).object.spec, {
      strategy: 'example.com/x',
    })
    assert.deepEqual(patched(before, { spec: { strategy: 'Oldest', preferredHolder: 'b' } }).problems, [
      'spec.strategy.strategy: Unsupported value: "Oldest": supported values: "OldestEmulationVersion"',
    ])
  })

  it('show their holder', () => {
    assert.equal(shown(created('coordination/v1.Lease', { spec: { holderIdentity: 'a' } })).Holder, 'a')
    assert.equal(shown(created('coordination/v1.Lease', {})).Holder, '')
  })
})
