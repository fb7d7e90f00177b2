import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'

const leases = new KindHarness('coordination/v1.Lease')
describe('leases', () => {
  it('last a while, and change hands a number of times', () => {
    assert.deepEqual(leases.create({ spec: { leaseDurationSeconds: 0, leaseTransitions: -1 } }).errors, [
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
      'spec.leaseTransitions: Invalid value: -1: must be greater than or equal to 0',
    ])
    assert.deepEqual(leases.create({}).errors, [])
  })

  it('forget how their holder would be chosen, as nobody here chooses', () => {
    const spec = { holderIdentity: 'a', strategy: 'OldestEmulationVersion', preferredHolder: 'b' }
    const lease = leases.create({ spec })
    assert.deepEqual(lease.object.spec, { holderIdentity: 'a' })
    assert.deepEqual(leases.update(lease, { spec }).object.spec, { holderIdentity: 'a' })
  })

  it('keep it where it was', () => {
    const lease = leases.create({ spec: { holderIdentity: 'a' } })
    const before = { ...lease, object: { ...lease.object, spec: { strategy: 'OldestEmulationVersion' } } }
    assert.deepEqual(leases.update(before, { spec: { strategy: 'example.com/x' } }).object.spec, {
      strategy: 'example.com/x',
    })
    assert.deepEqual(leases.update(before, { spec: { strategy: 'Oldest', preferredHolder: 'b' } }).errors, [
      'spec.strategy.strategy: Unsupported value: "Oldest": supported values: "OldestEmulationVersion"',
    ])
  })

  it('show their holder', () => {
    assert.equal(leases.row(leases.create({ spec: { holderIdentity: 'a' } })).Holder, 'a')
    assert.equal(leases.row(leases.create({})).Holder, '')
  })
})
