import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorKinds, KindHarness } from '../../../testing/objects/kind-harness.js'
import type { IPAddress } from './ip-address.js'

const kind = new KindHarness<IPAddress>('networking/v1.IPAddress')
const metadata = { name: '10.0.0.1' }
const parentRef = { resource: 'services', namespace: 'ns', name: 'web' }

test('the name is the address', () => {
  assert.deepEqual(kind.strategy.name!('10.0.0.1', false), [])
  assert.deepEqual(kind.strategy.name!('FD00::1', false), ['must be in canonical form ("fd00::1")'])
  assert.deepEqual(kind.strategy.name!('web', false), ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'])
})

test('an address belongs to something', () => {
  const wrong = (parent: object | undefined) =>
    kind.create({ metadata, spec: parent ? { parentRef: parent } : {} }).errors
  assert.deepEqual(wrong(parentRef), [])
  assert.deepEqual(wrong(undefined), ['spec.parentRef: Required value'])
  assert.deepEqual(errorKinds(wrong({ group: 'A', resource: 'a/b', name: '' })), [
    'spec.parentRef.group: Invalid value',
    'spec.parentRef.resource: Invalid value',
    'spec.parentRef.name: Required value',
  ])
})

test('and to that for ever', () => {
  const old = kind.create({ metadata, spec: { parentRef } }).object
  assert.deepEqual(kind.update(old, { metadata: { ...metadata, labels: { a: 'b' } } }).errors, [])
  assert.deepEqual(kind.update(old, { spec: { parentRef: { name: 'other' } } }).errors, [
    'spec.parentRef: Invalid value: {"Group":"","Resource":"services","Namespace":"ns","Name":"other"}: field is immutable',
  ])
})

test('the table shows to what', () => {
  const cell = (parent: object) => kind.row(kind.create({ metadata, spec: { parentRef: parent } }).object).ParentRef
  assert.equal(cell(parentRef), 'services/ns/web')
  assert.equal(
    cell({ group: 'gateway.example.com', resource: 'Gateways', name: 'a' }),
    'gateways.gateway.example.com/a',
  )
})
