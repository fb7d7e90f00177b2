import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorKinds, KindHarness } from '../../../testing/objects/kind-harness.js'
import type { EndpointSlice } from './endpoint-slice.js'

const kind = new KindHarness<EndpointSlice>('discovery/v1.EndpointSlice')
const slice = (parts: object) => ({ addressType: 'IPv4', endpoints: [], ports: [], ...parts })
const wrong = (parts: object) => kind.create(slice(parts)).errors
const many = (count: number) => Array.from({ length: count }, (_, i) => i)

test('ports have a name, if only an empty one, and speak TCP; topology is gone', () => {
  const made = kind.create(
    slice({ ports: [{ port: 80 }], endpoints: [{ addresses: ['10.0.0.1'], deprecatedTopology: { a: 'b' } }] }),
  ).object
  assert.deepEqual(made.ports, [{ name: '', protocol: 'TCP', port: 80 }])
  assert.deepEqual(made.endpoints, [{ addresses: ['10.0.0.1'], conditions: {} }])
})

describe('slices that are rejected', () => {
  test('for their size', () => {
    assert.deepEqual(wrong({ endpoints: many(1001).map(() => ({ addresses: ['x'] })) }), [
      'endpoints: Too many: 1001: must have at most 1000 items',
    ])
    assert.deepEqual(wrong({ endpoints: [{ addresses: many(101).map((i) => `10.0.0.${i}`) }] }), [
      'endpoints[0].addresses: Too many: 101: must have at most 100 items',
    ])
    assert.deepEqual(wrong({ ports: many(20_001).map((i) => ({ name: `p${i}` })) }), [
      'ports: Too many: 20001: must have at most 20000 items',
    ])
    const names = many(9).map((i) => ({ name: `z${i}` }))
    assert.deepEqual(wrong({ endpoints: [{ addresses: ['10.0.0.1'], hints: { forZones: names, forNodes: names } }] }), [
      'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items',
      'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
    ])
  })

  test('for addresses of another kind', () => {
    assert.deepEqual(wrong({ addressType: '' }), ['addressType: Required value'])
    assert.deepEqual(wrong({ addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] }), [
      'endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
    ])
    assert.deepEqual(
      wrong({ addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }, { addresses: ['com'] }] }),
      [
        'endpoints[1].addresses[0]: Invalid value: "com": should be a domain with at least two segments separated by dots',
      ],
    )
  })

  test('for hints that are given twice', () => {
    const hints = { forZones: [{ name: 'a' }, { name: 'a' }, { name: '!' }], forNodes: [{ name: 'b' }, { name: 'b' }] }
    assert.deepEqual(errorKinds(wrong({ endpoints: [{ addresses: ['10.0.0.1'], hints }] })), [
      'endpoints[0].hints.forZones[1].name: Duplicate value',
      'endpoints[0].hints.forZones[2].name: Invalid value',
      'endpoints[0].hints.forNodes[1].name: Duplicate value',
    ])
  })
})

test('a slice keeps the type of its addresses, and those that it has', () => {
  const old = kind.create(slice({ endpoints: [{ addresses: ['010.0.0.1'] }] })).object
  assert.deepEqual(kind.update(old, { addressType: 'IPv6' }).errors, [
    'addressType: Invalid value: "IPv6": field is immutable',
  ])
  assert.deepEqual(kind.update(old, { endpoints: [{ addresses: ['010.0.0.1'], hostname: 'a' }] }).errors, [])
  assert.equal(kind.update(old, { endpoints: [{ addresses: ['010.0.0.2'] }] }).errors.length, 1)
})

test('its labels are part of what is wanted', () => {
  const old = kind.create(slice({})).object
  assert.equal(kind.update(old, { metadata: { name: 'x', labels: { a: 'b' } } }).object.metadata.generation, 2)
  assert.equal(kind.update(old, { metadata: { name: 'x', annotations: { a: 'b' } } }).object.metadata.generation, 1)
})

test('questionable slices get warnings, but not those of the cluster itself', () => {
  const warned = (parts: object, labels: object = {}) =>
    kind.create({ ...slice(parts), metadata: { name: 'x', namespace: 'ns', labels } }).warnings
  const endpoints = [{ addresses: ['FD00::1'] }]
  assert.deepEqual(warned({ addressType: 'FQDN' }), ['spec.addressType: FQDN endpoints are deprecated'])
  assert.deepEqual(warned({ addressType: 'IPv6', endpoints }), [
    'endpoints[0].addresses[0]: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
  ])
  assert.deepEqual(
    warned(
      { addressType: 'IPv6', endpoints },
      { 'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io' },
    ),
    [],
  )
})

test('the table shows three ports and addresses', () => {
  const cells = (parts: object) => {
    const { AddressType, Ports, Endpoints } = kind.row(kind.create(slice(parts)).object)
    return [AddressType, Ports, Endpoints]
  }
  assert.deepEqual(cells({}), ['IPv4', '<unset>', '<unset>'])
  const endpoints = ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'].map((address) => ({ addresses: [address] }))
  assert.deepEqual(cells({ ports: [{ name: 'any' }, { port: 1, name: 'b' }], endpoints }), [
    'IPv4',
    'any,1',
    '10.0.0.1,10.0.0.2,10.0.0.3 + 1 more...',
  ])
})
