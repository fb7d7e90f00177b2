import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindTrial } from '../../../testing/objects/kind-harness.js'

const leases = new KindTrial('coordination/v1.Lease')
describe('leases', () => {
  it('last a while, and change hands a number of times', () => {
    assert.deepEqual(leases.created({ spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }).errors, [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ])
    assert.deepEqual(leases.created({}).errors, [])
  })

  it('forget how their holder would be chosen, as nobody here chooses', () => {
    const spec = { holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b' }
    const lease = leases.created({ spec })
    assert.deepEqual(lease.object.spec, { holderIdentity: 'a' })
    assert.deepEqual(leases.updated(lease, { spec }).object.spec, { holderIdentity: 'a' })
  })

  it('keep it where it was', () => {
    const lease = leases.created({ spec: { holderIdentity: 'a' } })
    const before = { ...lease, object: { ...lease.object, spec: { strategy: 'OldestEmulationVersion' } } }
    assert.deepEqual(leases.updated(before, { spec: { strategy: 'example.com/x' } }).object.spec, {
      strategy: 'example.com/x',
    })
    assert.deepEqual(leases.updated(before, { spec: { strategy: 'Oldest', preferredHolder: 'b' } }).errors, [
      'spec.strategy.strategy: Unsupported value: "Oldest": supported values: "OldestEmulationVersion"',
    ])
  })

  it('show their holder', () => {
    assert.equal(leases.row(leases.created({ spec: { holderIdentity: 'a' } })).Holder, 'a')
    assert.equal(leases.row(leases.created({})).Holder, '')
  })
})
