import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KindHarness } from '../../../testing/objects/kind-harness.js'
import type { ServiceCIDR } from './service-cidr.js'

const kind = new KindHarness<ServiceCIDR>('networking/v1.ServiceCIDR')
const wrong = (...cidrs: readonly string[]) => kind.create({ spec: { cidrs } }).errors

test('a range of service addresses is one of each family', () => {
  assert.deepEqual(wrong('10.0.0.0/16', 'fd00::/112'), [])
  assert.deepEqual(wrong(), ['spec.cidrs: Required value: at least one CIDR required'])
  assert.deepEqual(wrong('10.0.0.0/16', '10.1.0.0/16'), [
    'spec.cidrs: Invalid value: ["10.0.0.0/16","10.1.0.0/16"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
  ])
  assert.deepEqual(wrong('a', 'b', 'c'), [
    'spec.cidrs: Invalid value: {"CIDRs":["a","b","c"]}: may only hold up to 2 values',
  ])
  assert.deepEqual(wrong('FD00::/112'), [
    'spec.cidrs[0]: Invalid value: "FD00::/112": must be in canonical form ("fd00::/112")',
  ])
})

test('it stays, and may get a second one', () => {
  const old = kind.create({ spec: { cidrs: ['10.0.0.0/16'] } }).object
  const changed = (...cidrs: readonly string[]) => kind.update(old, { spec: { cidrs } }).errors
  assert.deepEqual(changed('10.0.0.0/16', 'fd00::/112'), [])
  assert.deepEqual(changed('10.1.0.0/16'), ['spec.cidrs[0]: Invalid value: "10.1.0.0/16": field is immutable'])
  assert.deepEqual(changed('10.0.0.0/16', '10.1.0.0/16').length, 1)
  assert.deepEqual(changed(), ['spec.cidrs: Invalid value: null: field is immutable'])
})

test('the table shows the ranges', () => {
  assert.equal(
    kind.row(kind.create({ spec: { cidrs: ['10.0.0.0/16', 'fd00::/112'] } }).object).CIDRs,
    '10.0.0.0/16,fd00::/112',
  )
})
