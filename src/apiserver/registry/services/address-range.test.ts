import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { seededRandom } from '../../../base/random.js'
import { AddressRange, allocationOrder } from './address-range.js'

suite('ranges of addresses', () => {
  test('leave out the network and the broadcast address', () => {
    const range = new AddressRange('10.0.0.0/29')
    assert.equal(range.size, 6n)
    assert.equal(range.at(0n), '10.0.0.1')
    assert.ok(range.contains('10.0.0.6'))
    assert.ok(!range.contains('10.0.0.0') && !range.contains('10.0.0.7') && !range.contains('fd00::1'))
  })

  test('of the other family leave out only the network', () => {
    const range = new AddressRange('fd00::/112')
    assert.equal(range.family, 'IPv6')
    assert.equal(range.at(65_534n), 'fd00::ffff')
    assert.ok(range.contains('fd00::ffff'))
  })

  test('are tried once each, the lower part last', () => {
    const walked = [...allocationOrder(new AddressRange('10.0.0.0/24'), seededRandom(1))]
    assert.equal(new Set(walked).size, 254)
    assert.ok(walked.slice(0, 238).every((offset) => offset >= 16n))
    assert.ok(walked.slice(238).every((offset) => offset < 16n))
  })
})
